package up

import (
	"context"
	"io"
	"net"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/redis/redistest"
)

// dead is an address that refuses connections.
const dead = "127.0.0.1:1"

// An unreachable configured server is reported before anything is started.
func TestRun_absentServerNamed(t *testing.T) {
	t.Parallel()
	err := Run(t.Context(), Options{
		RunDir: t.TempDir(), DatabaseURL: "postgres://user:canary@" + dead + "/shop", RedisURL: "redis://user:canary@" + dead,
	})
	require.ErrorContains(t, err, "--database-url (DATABASE_URL) does not respond: ")
	require.ErrorContains(t, err, "--redis-url (REDIS_URL) does not respond: ")
	require.NotContains(t, err.Error(), "canary")
}

func TestAsk_silentServer(t *testing.T) {
	t.Parallel()
	silent, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = silent.Close() })
	for flag, options := range map[string]Options{
		"--database-url (DATABASE_URL)": {DatabaseURL: "postgres://" + silent.Addr().String() + "/shop"},
		"--redis-url (REDIS_URL)":       {RedisURL: "redis://" + silent.Addr().String()},
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		require.ErrorContains(t, options.ask(ctx, io.Discard), flag+" does not respond: ")
		cancel()
	}
}

func TestRun_evictingRedis(t *testing.T) {
	t.Parallel()
	server := redistest.Own(t)
	require.NoError(t, server.Client.ConfigSet(t.Context(), "maxmemory-policy", "allkeys-lru").Err())
	err := Run(t.Context(), Options{RunDir: t.TempDir(), RedisURL: server.Config.URL.Reveal()})
	require.EqualError(t, err, "--redis-url (REDIS_URL) cannot be used: "+
		"the Redis server may drop keys: its maxmemory-policy is allkeys-lru and must be noeviction")
}

func TestAsk_unusableServer(t *testing.T) {
	t.Parallel()
	redis, err := url.Parse(redistest.New(t).Config.URL.Reveal())
	require.NoError(t, err)
	redis.User = url.UserPassword("nobody", "canary")
	for flag, options := range map[string]Options{
		"--database-url (DATABASE_URL)": {DatabaseURL: "postgres://:canary"},
		"--redis-url (REDIS_URL)":       {RedisURL: redis.String()},
	} {
		err := options.ask(t.Context(), io.Discard)
		require.ErrorContains(t, err, flag+" cannot be used: ")
		require.NotContains(t, err.Error(), "canary")
	}
}

// Configured servers that answer are accepted.
func TestAsk_answeringServers(t *testing.T) {
	t.Parallel()
	options := Options{DatabaseURL: pgtest.Database(t).Reveal(), RedisURL: redistest.New(t).Config.URL.Reveal()}
	require.NoError(t, options.ask(t.Context(), io.Discard))
	require.NoError(t, (&Options{}).ask(t.Context(), io.Discard), "private servers are started")
}
