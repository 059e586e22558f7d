package admission_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/services/gateway/internal/admission"
)

// Concurrent reads get exactly the row budget, not a row more or less.
func TestSettle_concurrentReadsShareRowBudget(t *testing.T) {
	t.Parallel()
	admitter, call := start(t, redistest.New(t).Client)
	var admitted, rowsWait atomic.Int64
	var wg sync.WaitGroup
	for range 55 {
		wg.Go(func() {
			decision, err := admitter.Charge(t.Context(), call)
			if err == nil && decision.Verdict == admission.Admitted {
				admitted.Add(100)
				admitter.Settle(call, &decision, 100)
			} else if err == nil && decision.Usage.Exceeded() == "rows" {
				rowsWait.Add(1)
			}
		})
	}
	wg.Wait()
	require.Equal(t, int64(3000), admitted.Load())
	require.Equal(t, int64(25), rowsWait.Load())
}

// A client that reads one page after the other gets exactly its budget, even if pages are not full.
func TestSettle_sequentialReaderGetsWholeBudget(t *testing.T) {
	t.Parallel()
	admitter, call := start(t, redistest.New(t).Client)
	for i := range 59 {
		decision, err := admitter.Charge(t.Context(), call)
		require.NoError(t, err)
		require.Equal(t, admission.Admitted, decision.Verdict, "read %d", i)
		admitter.Settle(call, &decision, 51)
	}
	decision, err := admitter.Charge(t.Context(), call)
	require.NoError(t, err)
	require.Equal(t, admission.Refused, decision.Verdict, "59 x 51 rows are 3,009")
	require.Equal(t, "rows", decision.Usage.Exceeded())
}

// Of several settlements of one read the last one counts.
func TestSettle_lastWordStands(t *testing.T) {
	t.Parallel()
	admitter, call := start(t, redistest.New(t).Client)
	for range 20 {
		decision, err := admitter.Charge(t.Context(), call)
		require.NoError(t, err)
		admitter.Settle(call, &decision, 70)
		admitter.Settle(call, &decision, 0)
		require.Equal(t, 0, decision.Usage.Rows)
		admitter.Drain()
	}
}

// Many concurrent settlements are sent together; none is lost, even if Redis has forgotten the script meanwhile.
func TestSettle_togetherAllArrive(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	_, call := start(t, server.Client)
	wide := limits
	wide.Rows = 100_000
	admitter := admission.New(server.Client, wide, locks)
	decisions := make([]admission.Decision, 60)
	for i := range decisions {
		decision, err := admitter.Charge(t.Context(), call)
		require.NoError(t, err)
		decisions[i] = decision
	}
	require.NoError(t, server.Client.ScriptFlush(t.Context()).Err())
	var wg sync.WaitGroup
	for i := range decisions {
		wg.Go(func() { admitter.Settle(call, &decisions[i], 1) })
	}
	wg.Wait()
	admitter.Drain()
	decision, err := admitter.Look(t.Context(), call)
	require.NoError(t, err)
	require.Equal(t, len(decisions), decision.Usage.Rows)
}
