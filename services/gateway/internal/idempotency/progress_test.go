package idempotency

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// A call that never ends is visible however many begin and end after it.
func TestInProgress_oldestKey(t *testing.T) {
	t.Parallel()
	var keys InProgress
	noon := time.Date(2026, 3, 2, 12, 0, 0, 0, time.UTC)
	require.Zero(t, keys.Oldest(noon))
	first := keys.Begin(noon)
	second := keys.Begin(noon.Add(time.Second))
	require.Equal(t, 5*time.Second, keys.Oldest(noon.Add(5*time.Second)))
	first()
	require.Equal(t, 4*time.Second, keys.Oldest(noon.Add(5*time.Second)))
	second()
	require.Zero(t, keys.Oldest(noon.Add(5*time.Second)))
}

// The metric is exported, with 0, before the first key is begun.
func TestInProgress_shownWhileIdle(t *testing.T) {
	t.Parallel()
	var keys InProgress
	tel := telemetrytest.Discard(t)
	require.NoError(t, keys.Observe(tel))
	count, err := testutil.GatherAndCount(tel.Registry, telemetry.IdempotencyOldest.Name)
	require.NoError(t, err)
	require.Equal(t, 1, count)
}
