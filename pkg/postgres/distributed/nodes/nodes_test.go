//go:build citus

package nodes

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
)

func tempDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "nodes-test-") //nolint:usetesting // t.TempDir is closed to the servers' user
	require.NoError(t, err)
	require.NoError(t, os.Chmod(dir, 0o755)) //nolint:gosec // of the servers' user
	t.Cleanup(func() { require.NoError(t, os.RemoveAll(dir)) })
	return dir
}

func query[T any](t *testing.T, url, sql string) T {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer func() { _ = conn.Close(t.Context()) }()
	rows, err := conn.Query(t.Context(), sql)
	require.NoError(t, err)
	value, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	require.NoError(t, err)
	return value
}

func openCluster(t *testing.T, dir string) *Cluster {
	t.Helper()
	c, err := Start(t.Context(), dir, 2, launch.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Stop()) })
	return c
}

// The rows of a table over several nodes survive a stop and a start on other ports, and a kill of all nodes.
func TestStart_keepsItsRows(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(tempDir(t), "cluster")
	first := openCluster(t, dir)
	url := first.Coordinator.URL
	require.NoError(t, launch.Execute(t.Context(), url, "create table notes (n int primary key)"))
	query[string](t, url, "select create_distributed_table('notes', 'n', shard_count => 4)::text")
	require.NoError(t, launch.Execute(t.Context(), url, "insert into notes select generate_series(1, 100)"))
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

// A further database is distributed over the same nodes, and is dropped on all of them, also when the extension's own processes
// are just connecting to it: several times, because they do so once a second.
func TestCluster_furtherDatabase(t *testing.T) {
	t.Parallel()
	c := openCluster(t, filepath.Join(tempDir(t), "cluster"))
	for range 3 {
		makeAndDrop(t, c)
	}
}

func makeAndDrop(t *testing.T, c *Cluster) {
	t.Helper()
	url, err := c.Database(t.Context(), "further")
	require.NoError(t, err)
	require.NoError(t, launch.Execute(t.Context(), url, "create table notes (n int primary key)"))
	query[string](t, url, "select create_distributed_table('notes', 'n', shard_count => 4)::text")
	require.NoError(t, launch.Execute(t.Context(), url, "insert into notes values (1)"))
	require.NoError(t, c.DropDatabase(t.Context(), "further"))
	for _, node := range c.Nodes() {
		require.False(t, query[bool](t, node.URL, "select exists (select from pg_database where datname = 'further')"))
	}
}
