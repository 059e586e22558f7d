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

// A call waits when others of its seller and class have as many rows in progress as it leaves no room for; its own may be any number.
func TestTurns_whoWaits(t *testing.T) {
	t.Parallel()
	own := queueKey{uuid.New(), operation.Read}
	for name, c := range map[string]struct {
		running []int
		key     queueKey
		rows    int
		waits   bool
	}{
		"alone":               {nil, own, rowsAtOnce, false},
		"alone, more":         {nil, own, 2 * rowsAtOnce, false},
		"both fit":            {[]int{rowsAtOnce / 2}, own, rowsAtOnce / 2, false},
		"one row too many":    {[]int{rowsAtOnce / 2}, own, rowsAtOnce/2 + 1, true},
		"small pages":         {[]int{1, 1, 1, 1}, own, 1, false},
		"behind a large page": {[]int{rowsAtOnce}, own, 1, true},
		"another seller":      {[]int{rowsAtOnce}, queueKey{uuid.New(), operation.Read}, rowsAtOnce, false},
		"a process call":      {[]int{rowsAtOnce}, queueKey{own.seller, operation.Process}, rowsAtOnce, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			turns := newTurns(telemetrytest.Discard(t))
			for _, rows := range c.running {
				end, err := turns.take(t.Context(), own, rows, 0)
				require.NoError(t, err)
				defer end()
			}
			end, err := turns.take(t.Context(), c.key, c.rows, 0)
			if c.waits {
				require.ErrorIs(t, err, apierr.Unavailable)
				return
			}
			require.NoError(t, err)
			end()
		})
	}
}

// The end of a turn is the beginning of the next one, counts once, and leaves nothing in memory behind the last.
func TestTurns_end(t *testing.T) {
	t.Parallel()
	turns, key := newTurns(telemetrytest.Discard(t)), queueKey{uuid.New(), operation.Process}
	first, err := turns.take(t.Context(), key, rowsAtOnce, 0)
	require.NoError(t, err)
	_, err = turns.take(t.Context(), key, rowsAtOnce, 0)
	require.ErrorIs(t, err, apierr.Unavailable)
	first()
	first()
	second, err := turns.take(t.Context(), key, rowsAtOnce, 0)
	require.NoError(t, err)
	_, err = turns.take(t.Context(), key, 1, 0)
	require.ErrorIs(t, err, apierr.Unavailable)
	second()
	require.Empty(t, turns.queues)
}

// However many calls arrive at once, no more rows are in progress than allowed, and each call gets its turn.
func TestTurns_crowd(t *testing.T) {
	t.Parallel()
	turns, key := newTurns(telemetrytest.Discard(t)), queueKey{uuid.New(), operation.Read}
	var running, most, served atomic.Int64
	var crowd sync.WaitGroup
	for n := range 200 {
		crowd.Go(func() {
			rows := 1 + n%rowsAtOnce
			end, err := turns.take(t.Context(), key, rows, time.Minute)
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
	require.LessOrEqual(t, most.Load(), int64(rowsAtOnce))
	require.Empty(t, turns.queues)
}

// Waiting counts towards the time of the operation: a call that waited leaves its service as much less, so that it is answered before its
// connection, its idempotency key or the end of the process run out of time.
func TestTurns_waitingTakesTime(t *testing.T) {
	t.Parallel()
	tel := telemetrytest.Discard(t)
	turns, op := newTurns(tel), operation.Named(operation.ListOrders)
	seller := apikey.Bearer{Key: apikey.Key{SellerID: uuid.New()}}
	first, err := turns.of(t.Context(), newInbound(seller, &op, rowsAtOnce), rowsAtOnce)
	require.NoError(t, err)

	in, done := newInbound(seller, &op, 1), make(chan error, 1)
	go func() {
		end, err := turns.of(t.Context(), in, 1)
		if err == nil {
			end()
		}
		done <- err
	}()
	waited := tel.Counter(telemetry.CallTurns).WithLabelValues(string(operation.Read), turnWaited)
	require.Eventually(t, func() bool { return testutil.ToFloat64(waited) == 1 }, time.Minute, time.Millisecond)
	first()
	require.NoError(t, <-done)
	require.Positive(t, in.waited)
	require.Equal(t, op.Timeout, in.remaining().Timeout+in.waited)
}

// A call whose turn does not come within half of its operation's time is refused, and counted.
func TestTurns_late(t *testing.T) {
	t.Parallel()
	tel := telemetrytest.Discard(t)
	turns, op := newTurns(tel), operation.Named(operation.ShipOrders)
	op.Timeout = 20 * time.Millisecond
	seller := apikey.Bearer{Key: apikey.Key{SellerID: uuid.New()}}
	end, err := turns.of(t.Context(), newInbound(seller, &op, 0), rowsAtOnce)
	require.NoError(t, err)
	defer end()
	in := newInbound(seller, &op, 0)
	_, err = turns.of(t.Context(), in, rowsAtOnce)
	require.ErrorIs(t, err, apierr.Unavailable)
	require.GreaterOrEqual(t, in.waited, op.Timeout/2)
	late := tel.Counter(telemetry.CallTurns).WithLabelValues(string(operation.Process), turnLate)
	require.InDelta(t, 1, testutil.ToFloat64(late), 0)
}
