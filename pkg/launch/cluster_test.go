//go:build citus

package launch

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func openCluster(t *testing.T, dir string) *Cluster {
	t.Helper()
	c, err := PostgresCluster(t.Context(), dir, 2, Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Stop()) })
	return c
}

// The rows of a table over several nodes survive a stop and a start on other ports, and a kill of all nodes.
func TestPostgresCluster_keepsItsRows(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(tempDir(t), "cluster")
	first := openCluster(t, dir)
	url := first.Coordinator.URL
	execute(t, url, "create table notes (n int primary key)")
	query[string](t, url, "select create_distributed_table('notes', 'n', shard_count => 4)::text")
	execute(t, url, "insert into notes select generate_series(1, 100)")
	require.NoError(t, first.Stop())

	again := openCluster(t, dir)
	require.Equal(t, 100, query[int](t, again.Coordinator.URL, "select count(*)::int from notes"))
	for _, node := range again.Nodes() {
		require.NoError(t, node.Kill())
	}
	for _, node := range again.Nodes() {
		require.NoError(t, node.Restart(t.Context()))
	}
	require.Equal(t, 100, query[int](t, again.Coordinator.URL, "select count(*)::int from notes"))
	require.Equal(t, 2, query[int](t, again.Coordinator.URL, "select count(distinct nodeport)::int from citus_shards"))
}

// A further database is distributed over the same nodes, and is dropped on all of them.
func TestCluster_furtherDatabase(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	c := openCluster(t, filepath.Join(tempDir(t), "cluster"))
	url, err := c.Database(ctx, "further")
	require.NoError(t, err)
	execute(t, url, "create table notes (n int primary key)")
	query[string](t, url, "select create_distributed_table('notes', 'n', shard_count => 4)::text")
	execute(t, url, "insert into notes values (1)")
	require.NoError(t, c.DropDatabase(context.WithoutCancel(ctx), "further"))
	for _, node := range c.Nodes() {
		require.False(t, query[bool](t, node.URL, "select exists (select from pg_database where datname = 'further')"))
	}
}
