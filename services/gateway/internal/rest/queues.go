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

// maxRowsAtOnce is how many rows of lists this process has services read for one seller at a time: a page of the largest size,
// or several smaller ones. A large body counts as many among the process calls.
const maxRowsAtOnce = paging.MaxLimit

// queues lets the costly calls of a seller wait for each other: what its limits allow in a minute may all come at once, and would
// otherwise keep every processor busy. Pages do not wait for process calls, nor those for pages, and details for nothing.
type queues struct {
	outcomes *prometheus.CounterVec

	mu     sync.Mutex
	queues map[queueKey]*queue
}

// The outcomes of calls that wait, as metric labels.
const (
	outcomeWaited = "waited"
	outcomeLate   = "late"
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

func newQueues(tel *telemetry.Telemetry) *queues {
	outcomes := tel.Counter(telemetry.CallWaits)
	for _, class := range []operation.Class{operation.Read, operation.Process} {
		for _, outcome := range []string{outcomeWaited, outcomeLate} {
			outcomes.WithLabelValues(string(class), outcome) // so that every label is exported from the start
		}
	}
	return &queues{outcomes: outcomes, queues: map[queueKey]*queue{}}
}

// wait waits for a permit for so many rows of a call: at most half of the time that is left for its service. The service has
// the other half, so waiting makes no call longer than one that did not wait may be. Errors: those of acquire.
func (q *queues) wait(ctx context.Context, in *inbound, rows int) (release func(), err error) {
	began := time.Now()
	release, err = q.acquire(ctx, queueKey{seller: in.bearer.SellerID, class: in.op.Class}, rows, in.remaining().Timeout/2)
	in.waited = time.Since(began)
	return release, err
}

// acquire waits for a permit for so many rows. The call has it until release is called, which has an effect once. Errors:
// Unavailable when there is none in time, or the client has disconnected.
func (q *queues) acquire(ctx context.Context, key queueKey, rows int, maxWait time.Duration) (release func(), err error) {
	own := q.enter(key)
	weight := int64(min(rows, maxRowsAtOnce))
	if !own.rows.TryAcquire(weight) {
		if err := q.acquireLater(ctx, key, own, weight, maxWait); err != nil {
			q.leave(key, own)
			return nil, apierr.Unavailable.Because(err)
		}
	}
	return sync.OnceFunc(func() {
		own.rows.Release(weight)
		q.leave(key, own)
	}), nil
}

func (q *queues) acquireLater(ctx context.Context, key queueKey, own *queue, weight int64, maxWait time.Duration) error {
	q.outcomes.WithLabelValues(string(key.class), outcomeWaited).Inc()
	waiting, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	err := own.rows.Acquire(waiting, weight)
	if err != nil && ctx.Err() == nil {
		q.outcomes.WithLabelValues(string(key.class), outcomeLate).Inc()
	}
	return err
}

func (q *queues) enter(key queueKey) *queue {
	q.mu.Lock()
	defer q.mu.Unlock()
	own, ok := q.queues[key]
	if !ok {
		own = &queue{rows: semaphore.NewWeighted(maxRowsAtOnce)}
		q.queues[key] = own
	}
	own.calls++
	return own
}

func (q *queues) leave(key queueKey, own *queue) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if own.calls--; own.calls == 0 {
		delete(q.queues, key)
	}
}
