package redis_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

func newCounter() *redis.Script {
	return redis.NewScript("counter", "return redis.call('incrby', KEYS[1], ARGV[1])")
}

func TestScript_loadedOnConnect(t *testing.T) {
	t.Parallel()
	counter := newCounter()
	server := redistest.Own(t, counter)
	got, err := counter.Run(t.Context(), server.Client, []string{"n"}, 5).Int()
	require.NoError(t, err)
	require.Equal(t, 5, got)
	require.Equal(t, "counter", counter.Name())
	require.Equal(t, []bool{true}, server.Client.ScriptExists(t.Context(), counter.Digest()).Val())
	stats := server.Client.Info(t.Context(), "commandstats").Val()
	require.Contains(t, stats, "cmdstat_evalsha:calls=1,")
	require.NotContains(t, stats, "cmdstat_eval:")
}

func TestScript_resentWhenForgotten(t *testing.T) {
	t.Parallel()
	counter := newCounter()
	server := redistest.Own(t, counter)
	tel := telemetrytest.Discard(t)
	client := server.Open(t, tel, counter)
	for want := 1; want <= 3; want++ {
		got, err := counter.Run(t.Context(), client, []string{"n"}, 1).Int()
		require.NoError(t, err)
		require.Equal(t, want, got)
		require.NoError(t, server.Client.ScriptFlush(t.Context()).Err())
	}
	for labels := range values(t, tel, telemetry.RedisCommandDuration) {
		require.NotContains(t, labels, "error", "forgetting a script is not an error")
	}
}

// A script runs again after a restart of its server, loaded by the new connection.
func TestScript_runsAfterRestart(t *testing.T) {
	t.Parallel()
	counter := newCounter()
	server := redistest.Own(t, counter)
	require.NoError(t, counter.Run(t.Context(), server.Client, []string{"n"}, 1).Err())
	require.NoError(t, server.Process.Kill())
	require.Error(t, counter.Run(t.Context(), server.Client, []string{"n"}, 1).Err())
	require.NoError(t, server.Process.Restart(t.Context()))
	require.Eventually(t, func() bool { return counter.Run(t.Context(), server.Client, []string{"n"}, 1).Err() == nil },
		time.Minute, 10*time.Millisecond)
	stats := server.Client.Info(t.Context(), "commandstats").Val()
	require.NotContains(t, stats, "cmdstat_eval:", "the new connection has loaded it again")
}

// The error names a script that does not compile.
func TestScript_brokenOneIsNamed(t *testing.T) {
	t.Parallel()
	server := redistest.New(t)
	client := server.Open(t, telemetrytest.Discard(t), newCounter(), redis.NewScript("broken", "return +"))
	require.ErrorContains(t, client.Ping(t.Context()).Err(), "load script broken")
}
