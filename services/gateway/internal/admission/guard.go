package admission

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	goredis "github.com/redis/go-redis/v9"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/redis"
)

const (
	// The breaker opens when this share of at least this many commands in the last second failed.
	breakerRate     = 0.5
	breakerCommands = 5
	breakerPeriod   = time.Second
	probePause      = 200 * time.Millisecond
)

var errOpen = errors.New("admission: Redis is unavailable")

// guard runs scripts with a short timeout behind one breaker per server: an unavailable server of a cluster only affects the
// sellers whose keys it has. A breaker opens when its server is unavailable; see classify.
type guard struct {
	client  goredis.UniversalClient
	cluster *goredis.ClusterClient // the client when it is that of a cluster, else nil
	batcher *batcher               // nil for a cluster, whose nodes must not wait for each other
	only    *server                // the only server; for a cluster, the fallback if the server of a key is unknown
	masters sync.Map               // of a cluster: address → *server
	timeout time.Duration          // of a command, retries included
}

type server struct {
	breaker  circuitbreaker.CircuitBreaker[any]
	answered atomic.Int64 // when it answered last, in ns since started
}

func newServer() *server {
	return &server{breaker: circuitbreaker.NewBuilder[any]().
		WithFailureRateThreshold(breakerRate, breakerCommands, breakerPeriod).
		WithDelay(probePause).
		WithSuccessThreshold(1).
		Build()}
}

func newGuard(client goredis.UniversalClient, timeout time.Duration) *guard {
	g := &guard{client: client, only: newServer(), timeout: timeout}
	if cluster, ok := client.(*goredis.ClusterClient); ok {
		g.cluster = cluster
	} else {
		g.batcher = &batcher{client: client, timeout: timeout, overdue: overdueAfter}
	}
	return g
}

// masterOf returns the cluster server of a key, as cached by the client or looked up until the deadline. After a failover it is
// a new server without recorded failures.
func (g *guard) masterOf(ctx context.Context, key string, deadline time.Time) *server {
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), deadline)
	defer cancel()
	master, err := g.cluster.MasterForKey(ctx, key)
	if err != nil {
		return g.only
	}
	address := master.Options().Addr
	known, ok := g.masters.Load(address)
	if !ok {
		known, _ = g.masters.LoadOrStore(address, newServer())
	}
	return known.(*server)
}

// broken reports whether an error is a closed connection, as after a restart of Redis, or one to a demoted master, rather than an
// answer or a timeout.
func broken(err error) bool {
	return goredis.IsReadOnlyError(err) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// run executes a script for one call: again on a new connection if the first one broke, and with its source if Redis has lost the
// script. A caller that cancels must not count against Redis, so the script runs to its own deadline.
//
// RATE_LIMIT_UNAVAILABLE: Redis did not answer, or is known to be unavailable.
func (g *guard) run(ctx context.Context, script *redis.Script, keys []string, args ...any) (any, error) {
	sent := time.Now()
	deadline := sent.Add(g.timeout)
	server := g.only
	if g.cluster != nil {
		server = g.masterOf(ctx, keys[0], deadline)
	}
	if !server.breaker.TryAcquirePermit() {
		return nil, apierr.RateLimitUnavailable.Because(errOpen)
	}
	result, err := g.try(ctx, script, keys, args, deadline)
	if err != nil && (broken(err) || goredis.HasErrorPrefix(err, "NOSCRIPT")) {
		result, err = g.alone(ctx, script, keys, args, deadline)
	}
	server.record(err, sent, deadline)
	if err != nil {
		return nil, apierr.RateLimitUnavailable.Because(err)
	}
	return result, nil
}

// try makes the first attempt to run the script, batched with others if possible.
func (g *guard) try(ctx context.Context, script *redis.Script, keys []string, args []any, deadline time.Time) (any, error) {
	if g.batcher == nil {
		return g.alone(ctx, script, keys, args, deadline)
	}
	return g.batcher.run(ctx, script, keys, args, deadline)
}

// alone sends the script in its own command.
func (g *guard) alone(ctx context.Context, script *redis.Script, keys []string, args []any, deadline time.Time) (any, error) {
	ctx, cancel := context.WithDeadline(context.WithoutCancel(ctx), deadline)
	defer cancel()
	answers, err := script.Run(ctx, g.client, keys, append([]any{1}, args...)...).Slice()
	if err != nil {
		return nil, err
	}
	return answerOf(answers, 0)
}
