package admission

import (
	"context"
	"sync"

	goredis "github.com/redis/go-redis/v9"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/services/gateway/internal/route"
)

// Settle replaces the rows that an admitted read is charged with by those it returned, and brings the decision's usage up
// to date. A page that was full costs nothing. In the first half of the budget the round trip happens aside and nobody
// waits for it; in the second half it happens before Settle returns, so that the client's next call finds the rows that
// are free. What is under way aside can not fill the other half.
//
// A read may be settled again, when the answer broke off that the rows were announced with; the last word stands.
//
// A settlement that Redis does not take is given up: the reservation ages out with its call.
func (a *Admitter) Settle(call Call, decision *Decision, rows int) {
	charged := &decision.ticket
	if a.limits.RowBudget(call.Class) == 0 || rows == charged.rows {
		return
	}
	scarce := 2*decision.Usage.Rows >= decision.Usage.RowsLimit
	decision.Usage.Rows += rows - charged.rows
	charged.rows = rows
	one := settlement{
		keys: []string{namesOf(call.Seller).window(call.Key, route.Read)},
		args: []any{a.terms[call.Class].window, charged.nonce, rows},
	}
	if !scarce {
		a.settler.add(one)
		return
	}
	one.done = make(chan struct{})
	a.settler.add(one)
	<-one.done
}

// Drain waits for the settlements that happen aside.
func (a *Admitter) Drain() { a.settler.sending.Wait() }

// settlement is one call of the settle script.
type settlement struct {
	keys []string
	args []any
	done chan struct{} // closed when it has arrived or was given up; nil when nobody waits
}

// settler sends settlements one after the other, those together that came while others were under way.
type settler struct {
	guard  *guard
	script *redis.Script

	mu      sync.Mutex
	waiting []settlement
	busy    bool
	sending sync.WaitGroup
}

func (s *settler) add(one settlement) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, one)
	if !s.busy {
		s.busy = true
		s.sending.Go(s.send)
	}
}

// send goes on until nothing waits.
func (s *settler) send() {
	for batch := s.take(); len(batch) > 0; batch = s.take() {
		s.deliver(batch)
		for _, one := range batch {
			if one.done != nil {
				close(one.done)
			}
		}
	}
}

func (s *settler) take() []settlement {
	s.mu.Lock()
	defer s.mu.Unlock()
	batch := s.waiting
	s.waiting, s.busy = nil, len(batch) > 0
	return batch
}

// untraced is below a span that nobody records: a settlement belongs to no request any more.
var untraced = trace.ContextWithSpanContext(context.Background(),
	trace.NewSpanContext(trace.SpanContextConfig{TraceID: trace.TraceID{1}, SpanID: trace.SpanID{1}}))

// deliver sends settlements in one round trip. In a pipeline nobody sends a script's text to a Redis that has forgotten
// it, so that those are sent by themselves.
func (s *settler) deliver(batch []settlement) {
	if len(batch) == 1 {
		_, _ = s.guard.run(untraced, s.script, batch[0].keys, batch[0].args...)
		return
	}
	err := s.guard.pipelined(untraced, func(ctx context.Context, pipeline goredis.Pipeliner) {
		for _, one := range batch {
			s.script.Run(ctx, pipeline, one.keys, one.args...)
		}
	})
	if !goredis.HasErrorPrefix(err, "NOSCRIPT") {
		return
	}
	for _, one := range batch {
		_, _ = s.guard.run(untraced, s.script, one.keys, one.args...)
	}
}
