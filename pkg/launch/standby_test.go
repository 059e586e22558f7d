package launch

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A write that a synchronous primary acknowledged survives when the primary is killed and its standby is
// promoted.
func TestPostgres_standbyPromoted(t *testing.T) {
	t.Parallel()
	primary, standby, err := PooledPair(t.Context())
	require.NoError(t, err)
	stopAtEnd(t, primary)
	stopAtEnd(t, standby)
	require.True(t, query[bool](t, standby.URL, "select pg_is_in_recovery()"))
	require.NoError(t, primary.Synchronise(t.Context()))
	execute(t, primary.URL, "create table kept (n int)")
	execute(t, primary.URL, "insert into kept values (7)")
	require.NoError(t, primary.Kill())
	require.NoError(t, standby.Promote(t.Context()))
	require.Equal(t, 7, query[int](t, standby.URL, "select n from kept"))
	execute(t, standby.URL, "insert into kept values (8)")

	require.NoError(t, standby.Kill())
	require.NoError(t, standby.Restart(t.Context()))
	require.Equal(t, 2, query[int](t, standby.URL, "select count(*)::int from kept"))
}

// Sentinels promote the replica when the master was killed.
func TestRedis_replicaPromoted(t *testing.T) {
	t.Parallel()
	dir := tempDir(t)
	master, err := Redis(t.Context(), filepath.Join(dir, "master"), Options{})
	require.NoError(t, err)
	stopAtEnd(t, master)
	replica, err := master.Replica(t.Context(), filepath.Join(dir, "replica"))
	require.NoError(t, err)
	stopAtEnd(t, replica)
	sentinels, err := master.Sentinels(t.Context(), filepath.Join(dir, "sentinels"), 3, 3*time.Second) // busy machines may be silent
	require.NoError(t, err)
	for _, sentinel := range sentinels {
		stopAtEnd(t, sentinel)
	}
	require.NoError(t, Watched(t.Context(), sentinels, 1))
	require.NoError(t, client(t, master.URL).Set(t.Context(), "kept", "7", 0).Err())
	require.EqualValues(t, 1, client(t, master.URL).Wait(t.Context(), 1, 0).Val())
	require.NoError(t, master.Kill())
	c := client(t, replica.URL)
	soon(t, func() bool { return c.Set(t.Context(), "new", "8", 0).Err() == nil }, "the replica takes writes")
	require.Equal(t, "7", c.Get(t.Context(), "kept").Val())
}
