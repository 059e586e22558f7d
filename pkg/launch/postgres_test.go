package launch

import (
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"
)

// One server goes through what `make up` and the fault tests do to it; separate tests would
// each cost an initdb.
func TestPostgres_dataOutlivesStopAndKill(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(tempDir(t), "postgres")
	s, err := Postgres(t.Context(), dir, Options{Durable: true})
	require.NoError(t, err)
	stopAtEnd(t, s)
	url := s.URL
	require.Equal(t, "on", query[string](t, url, "show fsync"))
	require.Equal(t, "UTF8", query[string](t, url, "show server_encoding"))
	execute(t, url, "create table kept (n int)")
	execute(t, url, "insert into kept values (7)")

	require.NoError(t, s.Stop())
	require.NoError(t, s.Stop(), "a second Stop does nothing")
	require.Zero(t, s.PID())
	require.NoError(t, s.Restart(t.Context()))
	require.Equal(t, url, s.URL)
	require.ErrorContains(t, s.Restart(t.Context()), "is running")

	ended := s.Ended()
	require.NoError(t, s.Kill())
	<-ended
	require.NoError(t, s.Restart(t.Context()))
	require.Equal(t, 7, query[int](t, url, "select n from kept"))

	require.NoError(t, s.Kill())
	require.NoError(t, s.Stop(), "Stop releases the directory")
	again, err := Postgres(t.Context(), dir, Options{})
	require.NoError(t, err, "a new launcher recovers what a killed one left")
	stopAtEnd(t, again)
	require.Equal(t, 7, query[int](t, again.URL, "select n from kept"))
	require.Equal(t, "off", query[string](t, again.URL, "show fsync"), "without Durable nothing is synced to disk")
}

// A server refuses connections without the password, which neither files nor arguments reveal
// to other users.
func TestPostgres_closedWithoutPassword(t *testing.T) {
	t.Parallel()
	s := pooled(t)
	_, err := pgconn.Connect(t.Context(), strings.Replace(s.URL, s.home.password, "guess", 1))
	require.ErrorContains(t, err, "28P01")
	for _, name := range []string{"password", "log", "lock", "claim"} {
		info, err := os.Stat(s.home.path(name))
		require.NoError(t, err)
		require.Zero(t, info.Mode().Perm()&0o077, name)
	}
	info, err := os.Stat(s.Dir)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o700), info.Mode().Perm())
	arguments, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", s.PID()))
	require.NoError(t, err)
	require.NotContains(t, string(arguments), s.home.password)
}

func TestPostgres_stalePIDFile(t *testing.T) {
	t.Parallel()
	stranger, s := pooled(t), pooled(t)
	require.NoError(t, s.Kill())
	path := s.home.path("data/postmaster.pid")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	_, rest, _ := strings.Cut(string(text), "\n")
	require.NoError(t, os.WriteFile(path, fmt.Appendf(nil, "%d\n%s", stranger.PID(), rest), 0o600))
	require.NoError(t, s.Restart(t.Context()))
	require.Equal(t, 1, query[int](t, s.URL, "select 1"))
}

// The PID file of a server that was started by other means is left alone.
func TestPostgres_startedByOtherMeans(t *testing.T) {
	t.Parallel()
	s := pooled(t)
	require.ErrorContains(t, removeStalePID(s.home.path("data")), "started by other means")
	require.FileExists(t, s.home.path("data/postmaster.pid"))
}

// When another program takes the chosen port at the last moment, another port is tried.
func TestPostgres_portTakenAtLastMoment(t *testing.T) {
	t.Parallel()
	s := vacated(t)
	rival := *postgresKind
	var taken []net.Listener
	rival.command = func(h *home, port int, options Options) ([]string, error) {
		if len(taken) < 2 {
			taken = append(taken, listenOn(t, port))
		}
		return postgresCommand(h, port, options)
	}
	moved, err := rival.startIn(t.Context(), s.home, Options{})
	require.NoError(t, err)
	stopAtEnd(t, moved)
	require.Len(t, taken, 2)
	require.Equal(t, 1, query[int](t, moved.URL, "select 1"))
}

// A restart on a port that was taken in the meantime returns an error.
func TestPostgres_wantedPortTaken(t *testing.T) {
	t.Parallel()
	s := pooled(t)
	require.NoError(t, s.Kill())
	listenOn(t, s.Port)
	require.ErrorIs(t, s.Restart(t.Context()), errPortTaken)
}

// A server that was stopped with SIGSTOP can still be ended.
func TestPostgres_haltedServerIsStopped(t *testing.T) {
	t.Parallel()
	s := pooled(t)
	require.NoError(t, syscall.Kill(s.PID(), syscall.SIGSTOP))
	require.NoError(t, s.Stop())
}

func TestPostgres_refusedSettingShowsLog(t *testing.T) {
	t.Parallel()
	_, err := postgresKind.startIn(t.Context(), vacated(t).home, Options{Settings: map[string]string{"no_such_setting": "1"}})
	require.ErrorContains(t, err, "no_such_setting")
}

func pooled(t *testing.T) *Server {
	t.Helper()
	s, err := PooledPostgres(t.Context())
	require.NoError(t, err)
	return stopAtEnd(t, s)
}

// vacated returns a server of the pool that was killed and whose directory this process still
// holds.
func vacated(t *testing.T) *Server {
	t.Helper()
	s := pooled(t)
	require.NoError(t, s.Kill())
	require.NoError(t, s.home.take(lockTimeout))
	return s
}

func listenOn(t *testing.T, port int) net.Listener {
	t.Helper()
	listener, err := net.Listen("tcp", address(port))
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	return listener
}
