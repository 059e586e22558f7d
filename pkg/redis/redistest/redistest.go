// Package redistest gives each test an empty Redis database of its own on a real
// server. The server is a private one, started once per test process (see package
// launch), unless TEST_REDIS_URL names another. There is no way to skip:
// without a server tests fail.
package redistest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// Server is the Redis of one test.
type Server struct {
	// Client is connected to the test's database.
	Client goredis.UniversalClient
	// Config opens further clients on the same database.
	Config redis.Config
	// Process is the server itself when the test has one of its own, else nil.
	Process *launch.Server
}

// timeout replaces the time-out of production, which a loaded machine would meet
// in tests.
const timeout = 10 * time.Second

// serverURL starts the server of this process, or takes the one that was given.
var serverURL = sync.OnceValues(func() (string, error) {
	if url := os.Getenv("TEST_REDIS_URL"); url != "" {
		return url, nil
	}
	server, err := launch.PooledRedis(context.Background())
	if err != nil {
		return "", err
	}
	return server.URL, nil // it ends with this process
})

// New returns an empty database for one test, which is emptied again afterwards.
// Commands for the whole server (FLUSHALL, SCRIPT FLUSH, CONFIG SET) disturb other
// tests; a test that needs them starts its own server with Own. The scripts are
// loaded as by redis.Open.
func New(tb testing.TB, scripts ...*redis.Script) *Server {
	tb.Helper()
	address, err := serverURL()
	require.NoError(tb, err, "tests need Redis")
	options, err := goredis.ParseURL(address)
	require.NoError(tb, err)
	options.DB = 0
	registry := goredis.NewClient(options)
	tb.Cleanup(func() { require.NoError(tb, registry.Close()) })
	database := claim(tb, registry)
	tb.Cleanup(func() { release(tb, registry, database) })

	server := &Server{Config: redis.Config{URL: secret.New(inDatabase(tb, address, database)), ReadTimeout: timeout}}
	server.Client = server.Open(tb, telemetrytest.Discard(tb), scripts...)
	require.NoError(tb, server.Client.FlushDB(tb.Context()).Err())
	return server
}

func inDatabase(tb testing.TB, server string, database int) string {
	tb.Helper()
	u, err := url.Parse(server)
	require.NoError(tb, err)
	u.Path = "/" + strconv.Itoa(database)
	return u.String()
}

// Own starts a server for this test alone, for tests that stop, kill or
// reconfigure it.
func Own(tb testing.TB, scripts ...*redis.Script) *Server {
	tb.Helper()
	process, err := launch.PooledRedis(tb.Context())
	require.NoError(tb, err, "tests need Redis")
	tb.Cleanup(func() { require.NoError(tb, process.Stop()) })
	server := &Server{Config: redis.Config{URL: secret.New(process.URL), ReadTimeout: timeout}, Process: process}
	server.Client = server.Open(tb, telemetrytest.Discard(tb), scripts...)
	return server
}

// Open opens one more client on the database, closed at the end of the test.
func (s *Server) Open(tb testing.TB, tel *telemetry.Telemetry, scripts ...*redis.Script) goredis.UniversalClient {
	tb.Helper()
	client, err := redis.Open(tb.Context(), s.Config, tel, scripts...)
	require.NoError(tb, err)
	tb.Cleanup(func() { _ = client.Close() })
	return client
}

// Fill gives a server of its own little memory and writes until the server refuses it.
func Fill(tb testing.TB, server *Server) {
	tb.Helper()
	require.NotNil(tb, server.Process, "only for a server of this test alone")
	info := server.Client.InfoMap(tb.Context(), "memory").Val()["Memory"]
	used, err := strconv.ParseInt(info["used_memory"], 10, 64)
	require.NoError(tb, err)
	const room = 8 << 20
	require.NoError(tb, server.Client.ConfigSet(tb.Context(), "maxmemory", strconv.FormatInt(used+room, 10)).Err())
	for _, size := range []int{16 << 10, 64} { // the small ones take what the large ones left
		value := strings.Repeat("x", size)
		for n, err := 0, error(nil); err == nil; n++ {
			if err = server.Client.Set(tb.Context(), fmt.Sprintf("fill:%d:%d", size, n), value, 0).Err(); err != nil {
				require.ErrorContains(tb, err, "OOM", "the server is full")
			}
		}
	}
}
