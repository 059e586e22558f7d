//go:build citus

package failover

import (
	"context"
	"net/http"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
)

// A worker of a distributed PostgreSQL can be killed with the same guarantees, also while a transaction of two sellers on two
// nodes is prepared. What it left prepared is resolved within seconds.
func TestTry_citus(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"citus", "mixed"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			found := requireKept(t, name)
			require.LessOrEqual(t, found.resolved, mostPrepared)
		})
	}
}

// A commit on two nodes that the death of a worker interrupts is completed when the coordinator had committed, and undone
// otherwise. Its rows are free within seconds after the worker is back, and the same key then finds the effect once, for both
// sellers.
func TestPrepared_workerDies(t *testing.T) {
	t.Parallel()
	dir := serversDir(t)
	g, nodes, err := startNodes(t.Context(), dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, g.stop()) })
	coordinator, killed := nodes.Coordinator, nodes.Workers[0]
	g.group = func(ctx context.Context, sellers []seller) ([][]seller, error) {
		return pairs(ctx, coordinator.URL, killed.Port, sellers)
	}
	s, err := startSystem(t.Context(), g, Options{Rate: 1}, dir)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.stop()) })

	for n, c := range []struct {
		name string
		// waits is the node whose commits wait: the transaction is prepared on the workers and not committed by the coordinator yet, or
		// it is prepared on a worker that does not say so.
		waits *launch.Server
		// wait is a session of that node that waits.
		wait      string
		committed bool
	}{
		{"coordinator has committed", coordinator, "query ilike 'commit%'", true},
		{"worker has not answered", killed, "query ilike 'prepare transaction%'", false},
	} {
		one := processing(1, s.orders[2*n])
		block(t, c.waits, "nobody")
		answered := make(chan int, 1)
		go func() { answered <- s.newCaller().make(t.Context(), one) }()
		await(t, c.waits, "select exists (select from pg_stat_activity where wait_event = 'SyncRep' and "+c.wait+")", c.name)
		await(t, killed, "select exists (select from pg_prepared_xacts)", c.name)
		require.NoError(t, killed.Kill())
		if c.committed {
			block(t, coordinator, "")
		}
		status := <-answered
		want := map[bool]int{true: http.StatusOK, false: http.StatusServiceUnavailable}[c.committed]
		require.Equal(t, want, status, c.name)
		require.NoError(t, killed.Restart(t.Context()))
		block(t, killed, "")

		// What the system wrote in the background meanwhile may be prepared too. All are resolved.
		left, err := leftPrepared(t.Context(), killed.URL)
		require.NoError(t, err)
		_, took, err := left.outcome()
		require.NoError(t, err, c.name)
		require.LessOrEqual(t, took, mostPrepared, c.name)
		t.Logf("%s: answered %d, resolved %s after the worker was back", c.name, status, took)

		before, err := inspect(t.Context(), coordinator.URL)
		require.NoError(t, err)
		at := part{one.order.no, one.order.seller.id}
		require.Equal(t, map[bool]int{true: 1}[c.committed], before.effects[at][shipped], c.name)
		require.Zero(t, before.divided, c.name)
		again(t.Context(), s, []*record{{call: one}})
		after, err := inspect(t.Context(), coordinator.URL)
		require.NoError(t, err)
		require.Equal(t, 1, after.effects[at][shipped], c.name)
		require.Zero(t, after.divided, c.name)
	}
}

// block makes the commits of a node wait for a standby that does not exist, or not any more if there is none.
func block(t *testing.T, node *launch.Server, standby string) {
	t.Helper()
	for _, statement := range []string{"alter system set synchronous_standby_names = '" + standby + "'", "select pg_reload_conf()"} {
		require.NoError(t, execute(t.Context(), node.URL, statement))
	}
	await(t, node, "select setting = '"+standby+"' from pg_settings where name = 'synchronous_standby_names'", "the setting is read")
}

func await(t *testing.T, node *launch.Server, query, what string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), probeTimeout)
	defer cancel()
	conn, err := pgx.Connect(ctx, node.URL)
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(context.WithoutCancel(ctx))) }()
	for is := false; !is; {
		require.NoError(t, conn.QueryRow(ctx, query).Scan(&is), what)
		require.True(t, is || pause(ctx, probePause), "%s: %s", what, query)
	}
}
