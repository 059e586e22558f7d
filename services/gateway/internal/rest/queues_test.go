package rest

import (
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/gateway/internal/apikey"
)

// A call waits when others of its seller and class have as many rows in progress as it leaves no room for; its own may be any
// number.
func TestQueues_whoWaits(t *testing.T) {
	t.Parallel()
	own := queueKey{uuid.New(), operation.Read}
	for name, c := range map[string]struct {
		running []int
		key     queueKey
		rows    int
		waits   bool
	}{
		"alone":               {nil, own, maxRowsAtOnce, false},
		"alone, more":         {nil, own, 2 * maxRowsAtOnce, false},
		"both fit":            {[]int{maxRowsAtOnce / 2}, own, maxRowsAtOnce / 2, false},
		"one row too many":    {[]int{maxRowsAtOnce / 2}, own, maxRowsAtOnce/2 + 1, true},
		"small pages":         {[]int{1, 1, 1, 1}, own, 1, false},
		"behind a large page": {[]int{maxRowsAtOnce}, own, 1, true},
		"another seller":      {[]int{maxRowsAtOnce}, queueKey{uuid.New(), operation.Read}, maxRowsAtOnce, false},
		"a process call":      {[]int{maxRowsAtOnce}, queueKey{own.seller, operation.Process}, maxRowsAtOnce, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			queues := newQueues(telemetrytest.Discard(t))
			for _, rows := range c.running {
				end, err := queues.acquire(t.Context(), own, rows, 0)
				require.NoError(t, err)
				defer end()
			}
			end, err := queues.acquire(t.Context(), c.key, c.rows, 0)
			if c.waits {
				require.ErrorIs(t, err, apierr.Unavailable)
				return
			}
			require.NoError(t, err)
			end()
		})
	}
}

// A released permit goes to the next call, is released once, and leaves nothing in memory behind the last.
func TestQueues_end(t *testing.T) {
	t.Parallel()
	queues, key := newQueues(telemetrytest.Discard(t)), queueKey{uuid.New(), operation.Process}
	first, err := queues.acquire(t.Context(), key, maxRowsAtOnce, 0)
	require.NoError(t, err)
	_, err = queues.acquire(t.Context(), key, maxRowsAtOnce, 0)
	require.ErrorIs(t, err, apierr.Unavailable)
	first()
	first()
	second, err := queues.acquire(t.Context(), key, maxRowsAtOnce, 0)
	require.NoError(t, err)
	_, err = queues.acquire(t.Context(), key, 1, 0)
	require.ErrorIs(t, err, apierr.Unavailable)
	second()
	require.Empty(t, queues.queues)
}

// However many calls arrive at once, no more rows are in progress than allowed, and each call gets its permit.
func TestQueues_crowd(t *testing.T) {
	t.Parallel()
	queues, key := newQueues(telemetrytest.Discard(t)), queueKey{uuid.New(), operation.Read}
	var running, most, served atomic.Int64
	var crowd sync.WaitGroup
	for n := range 200 {
		crowd.Go(func() {
			rows := 1 + n%maxRowsAtOnce
			end, err := queues.acquire(t.Context(), key, rows, time.Minute)
			if err != nil {
				return
			}
			now := running.Add(int64(rows))
			for seen := most.Load(); now > seen && !most.CompareAndSwap(seen, now); seen = most.Load() {
			}
			running.Add(-int64(rows))
			served.Add(1)
			end()
		})
	}
	crowd.Wait()
	require.EqualValues(t, 200, served.Load())
	require.LessOrEqual(t, most.Load(), int64(maxRowsAtOnce))
	require.Empty(t, queues.queues)
}

// Waiting counts towards the time of the operation: a call that waited leaves its service as much less, so that it is answered
// before its connection, its idempotency key or the end of the process run out of time.
func TestQueues_waitingTakesTime(t *testing.T) {
	t.Parallel()
	tel := telemetrytest.Discard(t)
	queues, op := newQueues(tel), operation.Named(operation.ListOrders)
	seller := apikey.Bearer{Key: apikey.Key{SellerID: uuid.New()}}
	first, err := queues.wait(t.Context(), newInbound(seller, &op, maxRowsAtOnce), maxRowsAtOnce)
	require.NoError(t, err)

	in, done := newInbound(seller, &op, 1), make(chan error, 1)
	go func() {
		end, err := queues.wait(t.Context(), in, 1)
		if err == nil {
			end()
		}
		done <- err
	}()
	waited := tel.Counter(telemetry.CallWaits).WithLabelValues(string(operation.Read), outcomeWaited)
	require.Eventually(t, func() bool { return testutil.ToFloat64(waited) == 1 }, time.Minute, time.Millisecond)
	first()
	require.NoError(t, <-done)
	require.Positive(t, in.waited)
	require.Equal(t, op.Timeout, in.remaining().Timeout+in.waited)
}

// A call that gets no permit within half of its operation's time is refused, and counted.
func TestQueues_late(t *testing.T) {
	t.Parallel()
	tel := telemetrytest.Discard(t)
	queues, op := newQueues(tel), operation.Named(operation.ShipOrders)
	op.Timeout = 20 * time.Millisecond
	seller := apikey.Bearer{Key: apikey.Key{SellerID: uuid.New()}}
	end, err := queues.wait(t.Context(), newInbound(seller, &op, 0), maxRowsAtOnce)
	require.NoError(t, err)
	defer end()
	in := newInbound(seller, &op, 0)
	_, err = queues.wait(t.Context(), in, maxRowsAtOnce)
	require.ErrorIs(t, err, apierr.Unavailable)
	require.GreaterOrEqual(t, in.waited, op.Timeout/2)
	late := tel.Counter(telemetry.CallWaits).WithLabelValues(string(operation.Process), outcomeLate)
	require.InDelta(t, 1, testutil.ToFloat64(late), 0)
}
