package launch

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// The pool never shares a directory that is in use, and reuses it when it is free.
func TestPool_directoryReusedNeverShared(t *testing.T) {
	t.Parallel()
	pool := filepath.Join(tempDir(t), "pool")
	user, err := serverAccount("postgres", "nobody")
	require.NoError(t, err)
	first, err := freeSlot(pool, "postgres", user)
	require.NoError(t, err)
	second, err := freeSlot(pool, "postgres", user)
	require.NoError(t, err)
	defer second.close()
	require.NotEqual(t, first.dir, second.dir)
	_, err = openHome(first.dir, user, 0)
	require.ErrorIs(t, err, errInUse)

	// A child process that another test has just forked holds copies of all locks until its exec.
	first.close()
	require.Eventually(t, func() bool {
		third, err := freeSlot(pool, "postgres", user)
		require.NoError(t, err)
		defer third.close()
		return third.dir == first.dir && third.password == first.password
	}, time.Minute, time.Millisecond)
}

// Servers run as the user nobody until their package adds an account for them; directories from that time must not get in the
// way.
func TestPool_skipsForeignDirectory(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 { // only root has servers run as someone else
		return
	}
	pool := filepath.Join(tempDir(t), "pool")
	before, err := freeSlot(pool, "redis", someone)
	require.NoError(t, err)
	before.close()
	user, err := serverAccount("redis", "nobody")
	require.NoError(t, err)
	after, err := freeSlot(pool, "redis", user)
	require.NoError(t, err)
	defer after.close()
	require.NotEqual(t, before.dir, after.dir)
}

// Other test processes may look for a free directory at any moment, but a killed server keeps its own.
func TestPool_killedServerKeepsDirectory(t *testing.T) {
	t.Parallel()
	pool := filepath.Join(tempDir(t), "pool")
	killed, err := pooledRedis(t.Context(), pool)
	require.NoError(t, err)
	stopAtEnd(t, killed)
	require.NoError(t, killed.Kill())
	other, err := pooledRedis(t.Context(), pool)
	require.NoError(t, err)
	stopAtEnd(t, other)
	require.NotEqual(t, killed.Dir, other.Dir)
	require.NoError(t, killed.Restart(t.Context()))
	require.NoError(t, client(t, killed.URL).Ping(t.Context()).Err())
	require.NoError(t, killed.Stop())

	next, err := pooledRedis(t.Context(), pool)
	require.NoError(t, err)
	stopAtEnd(t, next)
	require.Equal(t, killed.Dir, next.Dir)
}

func TestPooledPostgres_cleanAndRepaired(t *testing.T) {
	t.Parallel()
	pool := filepath.Join(tempDir(t), "pool")
	first, err := pooledPostgres(t.Context(), pool)
	require.NoError(t, err)
	stopAtEnd(t, first)
	execute(t, first.URL, "create table leftover (n int)")
	require.NoError(t, first.Stop())

	second, err := pooledPostgres(t.Context(), pool)
	require.NoError(t, err)
	stopAtEnd(t, second)
	require.Equal(t, first.Dir, second.Dir)
	require.False(t, query[bool](t, second.URL, "select to_regclass('leftover') is not null"))
	require.NoError(t, second.Stop())

	require.NoError(t, os.Truncate(second.home.path("data/global/pg_control"), 0))
	third, err := pooledPostgres(t.Context(), pool)
	require.NoError(t, err, "a damaged directory is created again")
	stopAtEnd(t, third)
	require.Equal(t, 1, query[int](t, third.URL, "select 1"))
}
