package launch

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
	"github.com/stretchr/testify/require"
)

// holdEnv names a directory. When it is set, the test binary starts both
// servers below that directory, prints their URLs and waits to be killed.
const holdEnv = "LAUNCH_TEST_HOLD"

func TestMain(m *testing.M) {
	if dir := os.Getenv(holdEnv); dir != "" {
		hold(dir)
	}
	os.Exit(m.Run())
}

// hold starts the servers, prints their URLs and never returns.
func hold(dir string) {
	ctx := context.Background()
	postgres, err := Postgres(ctx, filepath.Join(dir, "postgres"), Options{})
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	redis, err := Redis(ctx, filepath.Join(dir, "redis"), Options{})
	if err != nil {
		_, _ = fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	_, _ = fmt.Fprintln(os.Stdout, postgres.URL+"\n"+redis.URL)
	select {}
}

// tempDir is like t.TempDir, but servers of another user can enter it.
func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "launch-test-") //nolint:usetesting // t.TempDir is closed to the servers' user
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755))
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}

// stopAtEnd stops the server before its directory is removed.
func stopAtEnd(t *testing.T, s *Server) *Server {
	t.Helper()
	t.Cleanup(func() { require.NoError(t, s.Stop()) })
	return s
}

func query[T any](t *testing.T, url, sql string, args ...any) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	rows, err := conn.Query(t.Context(), sql, args...)
	require.NoError(t, err)
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	require.NoError(t, err)
	return value
}

func execute(t *testing.T, url, sql string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	_, err = conn.Exec(t.Context(), sql)
	require.NoError(t, err)
}

func client(t *testing.T, url string) *redis.Client {
	t.Helper()
	options, err := redis.ParseURL(url)
	require.NoError(t, err)
	c := redis.NewClient(options)
	t.Cleanup(func() { _ = c.Close() })
	return c
}

func soon(t *testing.T, condition func() bool, promise string) {
	t.Helper()
	require.Eventually(t, condition, time.Minute, 20*time.Millisecond, promise)
}
