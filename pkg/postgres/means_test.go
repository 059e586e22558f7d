package postgres

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Three transactions that wait for each other for ten seconds of twenty are 1.5 on average, and a seller without transactions is
// dropped.
func TestOpenTransactions_means(t *testing.T) {
	t.Parallel()
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	o := newOpened(noon)
	for range 3 {
		o.add("hot", 1, noon)
	}
	for range 3 {
		o.add("hot", -1, noon.Add(10*time.Second))
	}
	means := o.means(noon.Add(20 * time.Second))
	require.Len(t, means, 1)
	require.InDelta(t, 1.5, means["hot"], 1e-9)
	require.InDelta(t, .75, o.means(noon.Add(40 * time.Second))["hot"], 1e-9, "averaged with the previous window")
	require.Empty(t, o.means(noon.Add(60*time.Second)))
	require.Empty(t, o.bySeller)
}
