package bench

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	goredis "github.com/redis/go-redis/v9"

	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/keystate"
	"sellerapi.dev/services/gateway/internal/ratelimit"
	"sellerapi.dev/services/gateway/internal/route"
)

func (b *bench) openRedis(ctx context.Context) (goredis.UniversalClient, error) {
	tel, err := telemetry.New(ctx, "gateway-bench", "bench", telemetry.Config{})
	if err != nil {
		return nil, err
	}
	return redis.Open(ctx, redis.Config{URL: secret.New(b.redis.URL)}, tel, admission.Scripts()...)
}

// listener is a client that remembers the last script call.
type listener struct {
	goredis.UniversalClient
	command []any
}

// EvalSha implements redis.Scripter.
func (l *listener) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *goredis.Cmd {
	l.command = []any{"evalsha", sha, len(keys)}
	for _, key := range keys {
		l.command = append(l.command, key)
	}
	l.command = append(l.command, args...)
	return l.UniversalClient.EvalSha(ctx, sha, keys, args...)
}

// memory prints what a key costs whose window is full, and that knocking at it costs nothing.
func (b *bench) memory(ctx context.Context) error {
	b.progress("%d refused calls", b.Refusals)
	heard := &listener{UniversalClient: b.client}
	admitter := admission.New(heard, ratelimit.Config{}.WithDefaults(), idempotency.Config{}.WithDefaults())
	call := admission.Call{Caller: admission.Caller{Seller: uuid.New(), Key: uuid.New(), Version: 1}, Class: route.Read, Reserve: 50}
	if err := admitter.PutKey(ctx, call.Caller, keystate.State{Version: 1}, time.Time{}); err != nil {
		return err
	}
	for verdict := admission.Admitted; verdict == admission.Admitted; {
		decision, err := admitter.Charge(ctx, call)
		if err != nil {
			return err
		}
		verdict = decision.Verdict
	}
	state, window := heard.command[3].(string), heard.command[4].(string)
	before, err := usage(ctx, b.client, state, window)
	if err != nil {
		return err
	}
	began := time.Now()
	if err := b.knock(ctx, heard.command); err != nil {
		return err
	}
	took := time.Since(began)
	after, err := usage(ctx, b.client, state, window)
	b.print("\nmemory of a key: state %d B, full window of %d reads %d B; after %d refused calls: %d B, %d B",
		before[0], ratelimit.Config{}.WithDefaults().Read, before[1], b.Refusals, after[0], after[1])
	b.print("a refused call costs Redis %v", (took / time.Duration(b.Refusals)).Round(100*time.Nanosecond))
	return err
}

// usage is what each key holds in memory, in bytes; 0 for one that is not there.
func usage(ctx context.Context, client goredis.UniversalClient, keys ...string) ([]int64, error) {
	sizes := make([]int64, len(keys))
	for i, key := range keys {
		size, err := client.MemoryUsage(ctx, key).Result()
		if err != nil && !errors.Is(err, goredis.Nil) {
			return nil, err
		}
		sizes[i] = size
	}
	return sizes, nil
}

// knockBatch is how many refused calls are sent together.
const knockBatch = 2000

// errAdmitted says that a call was admitted that had to be refused.
var errAdmitted = errors.New("a full window did not refuse")

// knock repeats a refused call; its last argument, the time after which it would be too late, is taken out.
func (b *bench) knock(ctx context.Context, command []any) error {
	command = append(command[:len(command)-1:len(command)-1], 0)
	for sent := 0; sent < b.Refusals; sent += knockBatch {
		pipeline := b.client.Pipeline()
		for range min(knockBatch, b.Refusals-sent) {
			pipeline.Do(ctx, command...)
		}
		replies, err := pipeline.Exec(ctx)
		if err != nil {
			return err
		}
		for _, reply := range replies {
			fields, ok := reply.(*goredis.Cmd).Val().([]any)
			if !ok || fields[0] != string(admission.Refused) {
				return fmt.Errorf("%w: %v", errAdmitted, fields)
			}
		}
	}
	return nil
}
