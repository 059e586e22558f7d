//go:build citus

package store

import (
	"context"
	"fmt"
	"net"
	"regexp"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
)

// preparedHalf is a half on a worker: a transaction that is prepared before anything waits for it.
type preparedHalf struct {
	conn *pgx.Conn
	// shards are the tables of the seller on the worker, by their names on the coordinator.
	shards map[string]string
}

// tableNames matches the names of tables in the statements of halves.
var tableNames = regexp.MustCompile(`\b(orders|seller_orders|lines|shipments|claim_holds|claim_hold_items)\b`)

func (h *shop) prepareHalf(seller uuid.UUID) half {
	h.t.Helper()
	p := &preparedHalf{shards: map[string]string{}}
	host, port, err := net.SplitHostPort(nodeOf(h.t, h.db, seller))
	require.NoError(h.t, err)
	config, err := pgx.ParseConfig(h.db.Config.URL.Reveal())
	require.NoError(h.t, err)
	config.Host, config.RuntimeParams["citus.enable_manual_changes_to_shards"] = host, "on"
	_, err = fmt.Sscan(port, &config.Port)
	require.NoError(h.t, err)
	p.conn, err = pgx.ConnectConfig(h.t.Context(), config)
	require.NoError(h.t, err)
	h.t.Cleanup(func() {
		_, _ = p.conn.Exec(context.WithoutCancel(h.t.Context()), "rollback prepared 'half'") // a test that failed has not committed it
		require.NoError(h.t, p.conn.Close(context.WithoutCancel(h.t.Context())))
	})
	rows, _ := h.db.Pool.Query(h.t.Context(), `select relname, shard_name(c.oid, get_shard_id_for_distribution_column(c.oid,
		$1::uuid))
		from pg_dist_partition join pg_class c on c.oid = logicalrelid join pg_namespace n on n.oid = relnamespace
		where partmethod = 'h' and nspname = $2`, seller, h.db.Schema)
	var name, shard string
	_, err = pgx.ForEachRow(rows, []any{&name, &shard}, func() error {
		p.shards[name] = shard
		return nil
	})
	require.NoError(h.t, err)
	_, err = p.conn.Exec(h.t.Context(), "begin")
	require.NoError(h.t, err)
	return p
}

// Exec implements executor.
func (p *preparedHalf) Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	return p.conn.Exec(ctx, tableNames.ReplaceAllStringFunc(sql, func(name string) string { return p.shards[name] }), args...)
}

func (p *preparedHalf) prepare(t *testing.T) {
	t.Helper()
	_, err := p.conn.Exec(t.Context(), "prepare transaction 'half'")
	require.NoError(t, err)
}

func (p *preparedHalf) waits(t *testing.T) bool {
	t.Helper()
	return blocks(t, p.conn, 0)
}

func (p *preparedHalf) commit(t *testing.T) {
	t.Helper()
	_, err := p.conn.Exec(t.Context(), "commit prepared 'half'")
	require.NoError(t, err)
}

// newShopOnNodes is newShop on several nodes, with its sellers on different ones.
func newShopOnNodes(t *testing.T) *shop {
	t.Helper()
	db := distributedtest.New(t, Migrations())
	db.Config.Settings = postgres.PlannerSettings()
	db.Pool = db.Open(t, telemetrytest.Discard(t))
	sellers := onDifferentNodes(t, db)
	return newShopOf(t, New(db.Pool, order.DefaultTerms()), db, sellers[0], sellers[1])
}

func onDifferentNodes(t *testing.T, db *pgtest.DB) []uuid.UUID {
	t.Helper()
	first, other := uuid.New(), uuid.New()
	for nodeOf(t, db, other) == nodeOf(t, db, first) {
		other = uuid.New()
	}
	return []uuid.UUID{first, other}
}

func nodeOf(t *testing.T, db *pgtest.DB, seller uuid.UUID) (node string) {
	t.Helper()
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select nodename || ':' || nodeport from pg_dist_shard_placement
		where shardid = get_shard_id_for_distribution_column('orders', $1::uuid)`, seller).Scan(&node))
	return node
}

// The same on two nodes, one of which has committed its half while that of the other is prepared.
func TestLockMixed_waitsForEachNode(t *testing.T) {
	t.Parallel()
	for name, run := range betweenHalves {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newShopOnNodes(t)
			run(h, h.prepareHalf)
		})
	}
}

// A claim is neither refused nor held twice while the node of its items has not committed its hold and that of its number has.
func TestOpen_ofPreparedHold(t *testing.T) {
	t.Parallel()
	h := newShopOnNodes(t)
	id, hold := h.orderID(h.no), h.hold("C-1", order.ClaimCancel, 1)
	_, err := h.db.Pool.Exec(t.Context(), "insert into hold_numbers (claim_no, seller_id, order_no) values ('C-1', $1, $2)", h.a,
		h.no)
	require.NoError(t, err)
	held := h.prepareHalf(h.a)
	h.write(held, `insert into claim_holds (seller_id, claim_no, order_id, claim_type, hold_state, facts)
		values ($1, 'C-1', $2, 'cancel', 'active', 'answer')`, h.a, id)
	h.write(held, `insert into claim_hold_items (seller_id, claim_no, position, item_id, quantity)
		select $1, 'C-1', 1, item_id, 1 from lines where seller_id = $1 and order_id = $2 and item_id = $3`, h.a, id, h.id(1))
	held.prepare(t)
	_, err = h.open(hold)
	require.ErrorIs(t, err, apierr.Unavailable)
	held.commit(t)
	answer, err := h.open(hold)
	require.NoError(t, err)
	require.Equal(t, "answer", answer)
}
