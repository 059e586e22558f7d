package admission

import (
	"cmp"
	"context"
	"runtime"
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

// errand is one call of a script.
type errand struct {
	script *redis.Script
	keys   []string
	packed argument
	late   *time.Timer

	done   chan struct{} // told once when there is an answer
	answer string
	err    error
}

// errands are used again. One that was given up is not: its lane may still bring an answer.
var errands = sync.Pool{New: func() any {
	late := time.NewTimer(time.Hour)
	late.Stop()
	return &errand{done: make(chan struct{}, 1), late: late}
}}

func newErrand(script *redis.Script, keys []string, packed argument) *errand {
	e := errands.Get().(*errand)
	e.script, e.keys, e.packed = script, keys, packed
	return e
}

// end gives the errand back and returns what it brought.
func (e *errand) end() (string, error) {
	answer, err := e.answer, e.err
	e.late.Stop()
	*e = errand{done: e.done, late: e.late}
	errands.Put(e)
	return answer, err
}

// run returns a script's answer to one call. One that has not been sent at the deadline is not sent any more.
func (l *line) run(ctx context.Context, script *redis.Script, keys []string, packed argument, deadline time.Time) (string, error) {
	span := startSpan(ctx, script.Name())
	defer span.End()
	e := newErrand(script, keys, packed)
	e.late.Reset(time.Until(deadline))
	l.join(e) //nolint:contextcheck // a round trip belongs to no request
	select {
	case <-e.done:
	case <-e.late.C:
		l.leave(e)
		span.SetStatus(codes.Error, "no answer in time")
		return "", context.DeadlineExceeded
	}
	answer, err := e.end()
	if err != nil {
		span.SetStatus(codes.Error, "failed")
		span.RecordError(err)
	}
	return answer, err
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

// take is what goes together. Under load others are about to come, and are let come first.
func (l *line) take() []*errand {
	runtime.Gosched()
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

// deliver sends a batch and takes its answers: in one round trip, with one command for each script.
func (l *line) deliver(batch []*errand) {
	ctx, cancel := context.WithTimeout(context.Background(), l.timeout)
	defer cancel()
	pipeline := l.client.Pipeline()
	answers := make([]*goredis.Cmd, 0, 2)
	groups := byScript(batch)
	for _, group := range groups {
		answers = append(answers, command(ctx, pipeline, group))
	}
	_, failed := pipeline.Exec(ctx)
	for i, group := range groups {
		handOut(group, answers[i], failed)
	}
}

// byScript sorts a batch into those of one script each. They keep their order.
func byScript(batch []*errand) [][]*errand {
	var groups [][]*errand
	for _, e := range batch {
		at := slices.IndexFunc(groups, func(group []*errand) bool { return group[0].script == e.script })
		if at < 0 {
			at, groups = len(groups), append(groups, make([]*errand, 0, len(batch)))
		}
		groups[at] = append(groups[at], e)
	}
	return groups
}

// command is one run of a script for all of a group.
func command(ctx context.Context, pipeline goredis.Pipeliner, group []*errand) *goredis.Cmd {
	keys, packed := make([]string, 0, len(group)*len(group[0].keys)), make([]any, len(group))
	for i, e := range group {
		keys, packed[i] = append(keys, e.keys...), []byte(e.packed)
	}
	return group[0].script.Run(ctx, pipeline, keys, packed...)
}

// handOut gives each of a group its part of the answer. failed is why there is none when nothing was sent; an answer that
// came has an error of its own.
func handOut(group []*errand, answer *goredis.Cmd, failed error) {
	answers, err := answer.Slice()
	if err != nil && answer.Err() == nil {
		err = cmp.Or(failed, err)
	}
	for i, e := range group {
		if e.err = err; err == nil {
			e.answer, e.err = answerOf(answers, i)
		}
		e.done <- struct{}{}
	}
}

// answerOf is the answer to the call at a place of its command.
func answerOf(answers []any, at int) (string, error) {
	if at >= len(answers) {
		return "", errReply
	}
	switch answer := answers[at].(type) {
	case string:
		return answer, nil
	case error:
		return "", answer
	default:
		return "", errReply
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
