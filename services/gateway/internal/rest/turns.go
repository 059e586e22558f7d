package rest

import (
	"context"
	"sync"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/semaphore"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/telemetry"
)

// rowsAtOnce is how many rows of lists this process has services read for one seller at a time: a page of the largest size, or several
// smaller ones. A large body counts as many among the process calls.
const rowsAtOnce = paging.MaxLimit

// turns lets the costly calls of a seller wait for each other: what its limits allow in a minute may all come at once, and would
// otherwise keep every processor busy. Pages do not wait for process calls, nor those for pages, and details for nothing.
type turns struct {
	outcomes *prometheus.CounterVec

	mu     sync.Mutex
	queues map[queueKey]*queue
}

// The outcomes of calls that wait, as metric labels.
const (
	turnWaited = "waited"
	turnLate   = "late"
)

type queueKey struct {
	seller uuid.UUID
	class  operation.Class
}

// queue belongs to calls that run or wait.
type queue struct {
	rows  *semaphore.Weighted
	calls int
}

func newTurns(tel *telemetry.Telemetry) *turns {
	outcomes := tel.Counter(telemetry.CallTurns)
	for _, class := range []operation.Class{operation.Read, operation.Process} {
		for _, outcome := range []string{turnWaited, turnLate} {
			outcomes.WithLabelValues(string(class), outcome) // so that every label is exported from the start
		}
	}
	return &turns{outcomes: outcomes, queues: map[queueKey]*queue{}}
}

// of waits for the turn of a call for so many rows: at most half of the time that is left for its service. The service has the other
// half, so waiting makes no call longer than one that did not wait may be. Errors: those of take.
func (t *turns) of(ctx context.Context, in *inbound, rows int) (end func(), err error) {
	began := time.Now()
	end, err = t.take(ctx, queueKey{seller: in.bearer.SellerID, class: in.op.Class}, rows, in.remaining().Timeout/2)
	in.waited = time.Since(began)
	return end, err
}

// take waits for the turn of a call of a seller for so many rows. The turn lasts until end is called, which has an effect once.
// Errors: Unavailable when the turn does not come in time, or the client has disconnected.
func (t *turns) take(ctx context.Context, key queueKey, rows int, longest time.Duration) (end func(), err error) {
	own := t.enter(key)
	weight := int64(min(rows, rowsAtOnce))
	if !own.rows.TryAcquire(weight) {
		if err := t.wait(ctx, key, own, weight, longest); err != nil {
			t.leave(key, own)
			return nil, apierr.Unavailable.Because(err)
		}
	}
	return sync.OnceFunc(func() {
		own.rows.Release(weight)
		t.leave(key, own)
	}), nil
}

func (t *turns) wait(ctx context.Context, key queueKey, own *queue, weight int64, longest time.Duration) error {
	t.outcomes.WithLabelValues(string(key.class), turnWaited).Inc()
	waiting, cancel := context.WithTimeout(ctx, longest)
	defer cancel()
	err := own.rows.Acquire(waiting, weight)
	if err != nil && ctx.Err() == nil {
		t.outcomes.WithLabelValues(string(key.class), turnLate).Inc()
	}
	return err
}

func (t *turns) enter(key queueKey) *queue {
	t.mu.Lock()
	defer t.mu.Unlock()
	own, ok := t.queues[key]
	if !ok {
		own = &queue{rows: semaphore.NewWeighted(rowsAtOnce)}
		t.queues[key] = own
	}
	own.calls++
	return own
}

func (t *turns) leave(key queueKey, own *queue) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if own.calls--; own.calls == 0 {
		delete(t.queues, key)
	}
}
