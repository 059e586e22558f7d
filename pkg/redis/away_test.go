package redis_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// However many connections failed while a server was down, the first command after its return succeeds: a client that waits for a
// second before it reconnects would prolong the outage for every caller by that time.
func TestOpen_answersAtOnceAfterAnOutage(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	server.Config.PoolSize = 2
	client := server.Open(t, telemetrytest.Discard(t))
	for range 5 {
		require.NoError(t, client.Set(t.Context(), "k", "v", 0).Err())
		require.NoError(t, server.Process.Kill())
		for range 10 {
			require.Error(t, client.Get(t.Context(), "k").Err())
		}
		require.NoError(t, server.Process.Restart(t.Context()))
		require.NoError(t, client.Ping(t.Context()).Err())
	}
}
