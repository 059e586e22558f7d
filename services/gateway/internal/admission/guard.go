package admission

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	goredis "github.com/redis/go-redis/v9"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/redis"
)

const (
	// The breaker opens when half of at least this many commands of the last second failed.
	breakerRate     = 0.5
	breakerCommands = 5
	breakerPeriod   = time.Second
	// probePause is the time between two probes of an open breaker.
	probePause = 200 * time.Millisecond
)

// errOpen says that Redis is known to be away.
var errOpen = errors.New("admission: Redis is away")

// guard runs scripts with a short deadline behind a breaker, which opens when Redis is away; see judge.
type guard struct {
	client  goredis.UniversalClient
	batcher *batcher // nil for a cluster, whose nodes shall not wait for each other
	breaker circuitbreaker.CircuitBreaker[any]
	timeout time.Duration // of a command, retries included
	heard   atomic.Int64  // when Redis answered last, in ns since started
}

func newGuard(client goredis.UniversalClient, timeout time.Duration) *guard {
	breaker := circuitbreaker.NewBuilder[any]().
		WithFailureRateThreshold(breakerRate, breakerCommands, breakerPeriod).
		WithDelay(probePause).
		WithSuccessThreshold(1).
		Build()
	g := &guard{client: client, breaker: breaker, timeout: timeout}
	if _, cluster := client.(*goredis.ClusterClient); !cluster {
		g.batcher = &batcher{client: client, timeout: timeout, overdue: overdueAfter}
	}
	return g
}

// broken tells a connection that ended, as an idle one does when Redis was restarted, or that leads to a master which was
// demoted, from an answer and from silence.
func broken(err error) bool {
	return goredis.IsReadOnlyError(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// run executes a script for one call, once more on a new connection when the first one broke, and with its text when Redis
// has forgotten it. A client that goes away in between does not count against Redis, so the script runs to its own deadline.
//
// RATE_LIMIT_UNAVAILABLE: Redis did not answer, or is known to be away.
func (g *guard) run(ctx context.Context, script *redis.Script, keys []string, packed argument) (string, error) {
	if !g.breaker.TryAcquirePermit() {
		return "", apierr.RateLimitUnavailable.Because(errOpen)
	}
	sent := time.Now()
	deadline := sent.Add(g.timeout)
	result, err := g.try(ctx, script, keys, packed, deadline)
	if err != nil && (broken(err) || goredis.HasErrorPrefix(err, "NOSCRIPT")) {
		result, err = g.alone(ctx, script, keys, packed, deadline)
	}
	g.record(err, sent)
	if err != nil {
		return "", apierr.RateLimitUnavailable.Because(err)
	}
	return result, nil
}

// try runs the script the first time, together with others where they can share a round trip.
func (g *guard) try(ctx context.Context, script *redis.Script, keys []string, packed argument, deadline time.Time) (string, error) {
	if g.batcher == nil {
		return g.alone(ctx, script, keys, packed, deadline)
	}
	return g.batcher.run(ctx, script, keys, packed, deadline)
}

// alone sends the script in a command of its own.
func (g *guard) alone(ctx context.Context, script *redis.Script, keys []string, packed argument, deadline time.Time) (string, error) {
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), deadline)
	defer cancel()
	answers, err := script.Run(ctx, g.client, keys, []byte(packed)).Slice()
	if err != nil {
		return "", err
	}
	return answerOf(answers, 0)
}
