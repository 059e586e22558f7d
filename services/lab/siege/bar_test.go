package siege

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// An attack is held against its control, or against what it may cost at most; a figure that could not be measured is missed.
func TestGoals(t *testing.T) {
	t.Parallel()
	require.True(t, times("x", "µs", 100, 150, 1.5).Met)
	require.False(t, times("x", "µs", 100, 151, 1.5).Met)
	require.True(t, figure("x", "MiB", 100, 32, 32).Met)
	require.False(t, figure("x", "calls", 0, 1, 0).Met)
	require.False(t, figure("x", "MiB", 0, math.NaN(), 1).Met)
	require.True(t, barless(times("x", "µs", 1, 100, 1.5)).Met)
}

// The worst bodies are valid JSON of nearly the requested size, so that a server reads each to its end.
func TestWorstBodies(t *testing.T) {
	t.Parallel()
	const size = 256 * kib
	for _, body := range worstBodies(size) {
		require.True(t, json.Valid(body), string(body[:32]))
		require.LessOrEqual(t, len(body), size)
		require.Greater(t, len(body), size*3/4, string(body[:32]))
	}
}

func TestQuantile(t *testing.T) {
	t.Parallel()
	require.Equal(t, 3, median([]int{5, 1, 3, 2, 4}))
	require.Equal(t, 5, quantile([]int{5, 1, 3, 2, 4}, 1))
}
