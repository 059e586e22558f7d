package admission

import (
	"context"
	"slices"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/trace"
	"go.opentelemetry.io/otel/trace/noop"

	"sellerapi.dev/pkg/redis"
)

const (
	// together is how many scripts share a round trip at most.
	together = 64
	// lanes is how many round trips may be under way at once. There is one as long as it comes back soon, and another
	// each time that the last one is overdue: a connection that hangs must not hold up all that come after.
	lanes        = 4
	overdueAfter = 5 * time.Millisecond
)

// line sends scripts to one server: one that comes alone at once, those that come while others are under way together. A
// round trip costs gateway and Redis more than the script, so under load this saves most of it.
type line struct {
	client  goredis.UniversalClient
	timeout time.Duration // of a round trip
	overdue time.Duration // after which another one need not wait for it

	mu      sync.Mutex
	waiting []*errand
	busy    int       // lanes
	sent    time.Time // when the last round trip began
}

// errand is one run of a script.
type errand struct {
	script *redis.Script
	keys   []string
	args   []any

	done   chan struct{} // closed when there is an answer
	answer *goredis.Cmd
}

// run returns a script's answer, or the context's error when that ends first. A script that has not been sent until then
// is not sent any more.
func (l *line) run(ctx context.Context, script *redis.Script, keys []string, args []any) (any, error) {
	span := startSpan(ctx, script.Name())
	defer span.End()
	e := &errand{script: script, keys: keys, args: args, done: make(chan struct{})}
	l.join(e) //nolint:contextcheck // a round trip belongs to no request
	select {
	case <-e.done:
	case <-ctx.Done():
		l.leave(e)
		span.SetStatus(codes.Error, "no answer in time")
		return nil, ctx.Err()
	}
	result, err := e.answer.Result()
	if err != nil {
		span.SetStatus(codes.Error, "failed")
		span.RecordError(err)
	}
	return result, err
}

func (l *line) join(e *errand) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.waiting = append(l.waiting, e)
	if l.busy == 0 || l.busy < lanes && time.Since(l.sent) > l.overdue {
		l.busy++
		l.sent = time.Now()
		go l.work()
	}
}

func (l *line) leave(e *errand) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if at := slices.Index(l.waiting, e); at >= 0 {
		l.waiting = slices.Delete(l.waiting, at, at+1)
	}
}

// work is one lane; it goes on until nothing waits.
func (l *line) work() {
	for batch := l.take(); len(batch) > 0; batch = l.take() {
		l.deliver(batch)
	}
}

func (l *line) take() []*errand {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := min(len(l.waiting), together)
	if n == 0 {
		l.busy--
		return nil
	}
	batch := slices.Clone(l.waiting[:n])
	l.waiting, l.sent = slices.Delete(l.waiting, 0, n), time.Now()
	return batch
}

// deliver sends a batch and takes its answers.
func (l *line) deliver(batch []*errand) {
	ctx, cancel := context.WithTimeout(context.Background(), l.timeout)
	defer cancel()
	pipeline := l.client.Pipeline()
	for _, e := range batch {
		e.answer = e.script.Run(ctx, pipeline, e.keys, e.args...)
	}
	_, _ = pipeline.Exec(ctx) // each answer has its own error
	for _, e := range batch {
		close(e.done)
	}
}

// startSpan is the span of a script in a trace that is recorded; the client library sees only round trips, which belong to
// no request.
func startSpan(ctx context.Context, script string) trace.Span {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return noop.Span{}
	}
	_, span := parent.TracerProvider().Tracer("sellerapi.dev/services/gateway/internal/admission").Start(ctx, script,
		trace.WithSpanKind(trace.SpanKindClient), trace.WithAttributes(attribute.String("db.system", "redis")))
	return span
}
