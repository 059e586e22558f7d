package bench

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	goredis "github.com/redis/go-redis/v9"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

func (b *bench) openRedis(ctx context.Context) (goredis.UniversalClient, error) {
	tel, err := telemetry.New(ctx, "gateway-bench", "bench", telemetry.Config{})
	if err != nil {
		return nil, err
	}
	return redis.Open(ctx, redis.Config{URL: secret.New(b.redis.URL), ReadTimeout: time.Minute}, tel, admission.Scripts()...)
}

// listener records the last script call of a client. It is safe for concurrent use and implements goredis.Hook.
type listener struct{ command atomic.Pointer[[]any] }

// DialHook implements goredis.Hook.
func (l *listener) DialHook(next goredis.DialHook) goredis.DialHook {
	return func(ctx context.Context, network, address string) (net.Conn, error) {
		return next(ctx, network, address)
	}
}

// ProcessHook implements goredis.Hook.
func (l *listener) ProcessHook(next goredis.ProcessHook) goredis.ProcessHook { return next }

// ProcessPipelineHook implements goredis.Hook.
func (l *listener) ProcessPipelineHook(next goredis.ProcessPipelineHook) goredis.ProcessPipelineHook {
	return func(ctx context.Context, commands []goredis.Cmder) error {
		args := commands[len(commands)-1].Args()
		l.command.Store(&args)
		return next(ctx, commands)
	}
}

// longRun is longer than a million refused calls take, so that all of them meet the same full window.
const longRun = time.Hour

// memory prints the memory of a key with a full window, and checks that refused calls add nothing.
func (b *bench) memory(ctx context.Context) error {
	b.progress("%d refused calls", b.Refusals)
	commands := &listener{}
	b.client.AddHook(commands)
	admitter := admission.New(b.client, ratelimit.Config{Window: longRun}, idempotency.Config{})
	call := admission.Call{Key: apikey.Key{SellerID: uuid.New(), ID: uuid.New(), Version: 1}, Class: operation.Read, Reserve: 50}
	if err := admitter.PutKey(ctx, call.Key, time.Time{}); err != nil {
		return err
	}
	for verdict := admission.Admitted; verdict == admission.Admitted; {
		decision, err := admitter.Charge(ctx, call)
		if err != nil {
			return err
		}
		verdict = decision.Verdict
	}
	command := *commands.command.Load()
	state, window := command[3].(string), command[4].(string)
	if err := b.client.Expire(ctx, state, longRun).Err(); err != nil {
		return err
	}
	before, err := usage(ctx, b.client, state, window)
	if err != nil {
		return err
	}
	used, err := b.used(b.target.pid())
	if err != nil {
		return err
	}
	if err := b.knock(ctx, admitter, call); err != nil {
		return err
	}
	usedNow, err := b.used(b.target.pid())
	if err != nil {
		return err
	}
	after, err := usage(ctx, b.client, state, window)
	b.print("\nmemory of a key: state %d B, full window of %d reads %d B; after %d refused calls: %d B, %d B",
		before[0], defaults.Of[ratelimit.Config]().Read, before[1], b.Refusals, after[0], after[1])
	b.print("a refused call costs Redis %v", ((usedNow.redis - used.redis) / time.Duration(b.Refusals)).Round(100*time.Nanosecond))
	return err
}

// usage returns the memory of each key in bytes; 0 for a missing key.
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

// refusedClients is the number of clients that send refused calls concurrently.
const refusedClients = 64

var errAdmitted = errors.New("a full window admitted the call")

func (b *bench) knock(ctx context.Context, admitter *admission.Admitter, call admission.Call) error {
	group, ctx := errgroup.WithContext(ctx)
	for range refusedClients {
		group.Go(func() error {
			for range b.Refusals / refusedClients {
				decision, err := admitter.Charge(ctx, call)
				if err != nil {
					return err
				}
				if decision.Verdict != admission.Refused {
					return fmt.Errorf("%w: %s", errAdmitted, decision.Verdict)
				}
			}
			return nil
		})
	}
	return group.Wait()
}
