package callers

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

var noon = time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)

// busiest returns the busiest sellers of the board, without the sum of the others.
func busiest(board *Board, most int, now time.Time) []Caller {
	callers, _ := board.Busiest(most, now)
	return callers
}

func TestCallers_busiestFirstOthersSummed(t *testing.T) {
	t.Parallel()
	var board Board
	loud, quiet := uuid.New(), uuid.New()
	board.Called(quiet, noon)
	for range 30 {
		board.Called(loud, noon)
		board.Returned(loud, 50, noon)
	}
	callers, rest := board.Busiest(5, noon.Add(time.Minute))
	require.Equal(t, []Caller{{loud, .5, 25}, {quiet, 1. / 60, 0}}, callers)
	require.Zero(t, rest)
	callers, rest = board.Busiest(1, noon.Add(time.Minute))
	require.Equal(t, []Caller{{loud, .5, 25}}, callers)
	require.Equal(t, Caller{CallsPerSecond: 1. / 60}, rest)
}

// Clients are advised to poll every five minutes: such a client never disappears, whenever the board is read.
func TestCallers_fiveMinutePoller(t *testing.T) {
	t.Parallel()
	var board Board
	seller := uuid.New()
	at := noon
	for range 20 {
		board.Called(seller, at)
		for range 5 {
			at = at.Add(time.Minute)
			require.Len(t, busiest(&board, 5, at), 1, at)
		}
	}
	require.Empty(t, busiest(&board, 5, at.Add(2*window)))
}

// If many call equally often, those that have a series keep it, so that no further series are created.
func TestCallers_equallyBusyKeepTheirSeries(t *testing.T) {
	t.Parallel()
	var board Board
	sellers := make([]uuid.UUID, 50)
	for n := range sellers {
		sellers[n] = uuid.New()
	}
	seen := map[uuid.UUID]bool{}
	at := noon
	for range 20 {
		rand.Shuffle(len(sellers), func(i, j int) { sellers[i], sellers[j] = sellers[j], sellers[i] })
		for n, seller := range sellers {
			board.Called(seller, at)
			if n >= 10 { // ten have called
				for _, caller := range busiest(&board, 10, at) {
					seen[caller.Seller] = true
				}
			}
			at = at.Add(6 * time.Second)
		}
	}
	require.Len(t, seen, 10)
	loud := uuid.New()
	for range 5 {
		board.Called(loud, at)
	}
	require.Equal(t, loud, busiest(&board, 10, at)[0].Seller, "more than twice the rate is always listed")
}

// Sellers that come too late in a window to be counted individually are still counted among the others.
func TestCallers_boundedMemoryLosesNoCall(t *testing.T) {
	t.Parallel()
	var board Board
	first := uuid.New()
	board.Called(first, noon)
	for range maxCounted + 10 {
		board.Called(uuid.New(), noon)
	}
	board.Called(first, noon)
	require.Len(t, board.current.by, maxCounted)
	for _, at := range []time.Time{noon.Add(time.Minute), noon.Add(window + time.Minute)} {
		callers, rest := board.Busiest(1, at)
		require.Equal(t, first, callers[0].Seller)
		require.InDelta(t, maxCounted+12, (callers[0].CallsPerSecond+rest.CallsPerSecond)*at.Sub(noon).Seconds(), 1e-6)
	}
}

// No call is lost while the busiest sellers are read.
func TestCallers_concurrentLooksLoseNoCall(t *testing.T) {
	t.Parallel()
	var board Board
	const workers, calls = 8, 1000
	var calling sync.WaitGroup
	for range workers {
		calling.Go(func() {
			seller := uuid.New()
			for range calls {
				board.Called(seller, noon)
				board.Returned(seller, 1, noon)
			}
			board.Busiest(3, noon)
		})
	}
	calling.Wait()
	callers, rest := board.Busiest(workers, noon)
	require.Len(t, callers, workers)
	require.Zero(t, rest)
	for _, caller := range callers {
		require.Equal(t, Caller{caller.Seller, calls, calls}, caller)
	}
}

func TestScrape_twentySellersAndOthers(t *testing.T) {
	t.Parallel()
	var board Board
	tel := telemetrytest.Discard(t)
	require.NoError(t, board.Observe(tel))
	for range 3 * shown {
		board.Called(uuid.New(), time.Now())
	}
	for range 3 {
		count, err := testutil.GatherAndCount(tel.Registry, telemetry.SellerCalls.Name, telemetry.SellerRows.Name)
		require.NoError(t, err)
		require.Equal(t, 2*(20+1), count)
	}
}
