//go:build citus

package store

import (
	"context"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// A mixed order whose sellers are on two nodes is archived in one transaction, which both nodes prepare before either commits, and so it
// is brought back.
func TestArchive_twoPhasesOnNodes(t *testing.T) {
	t.Parallel()
	db := pgtest.NewDistributed(t, Migrations())
	db.Config.Settings = Settings()
	db.Pool = db.Open(t, telemetrytest.Discard(t))
	pool, commands := logged(t, db)
	s := New(pool, order.DefaultTerms())
	sellers := onDifferentNodes(t, db)
	placed := ordertest.New("M-1", ordertest.Epoch, sellers...)
	for i := range placed.Parts {
		for j := range placed.Parts[i].Lines {
			ordertest.History(&placed.Parts[i].Lines[j], ordertest.Epoch, 1, order.Preparing, order.Shipping, order.Delivered, order.Confirmed)
		}
	}
	place(t, s, placed)
	prepared := func(do func() (bool, error)) int {
		commands.clear()
		done, err := do()
		require.NoError(t, err)
		require.True(t, done)
		return commands.count("PREPARE TRANSACTION")
	}
	require.Equal(t, 2, prepared(func() (bool, error) {
		return s.Archive(t.Context(), DueOrder{SellerID: sellers[0], OrderNo: "M-1"}, 0)
	}), "archived")
	require.Equal(t, 2, prepared(func() (bool, error) { return s.BringBack(t.Context(), "M-1") }), "brought back")
}

// onDifferentNodes returns two sellers whose rows are on different nodes.
func onDifferentNodes(t *testing.T, db *pgtest.DB) []uuid.UUID {
	t.Helper()
	first, other := uuid.New(), uuid.New()
	for nodeOf(t, db, other) == nodeOf(t, db, first) {
		other = uuid.New()
	}
	return []uuid.UUID{first, other}
}

// nodeOf returns the node of a seller's rows.
func nodeOf(t *testing.T, db *pgtest.DB, seller uuid.UUID) (node string) {
	t.Helper()
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select nodename || ':' || nodeport from pg_dist_shard_placement
		where shardid = get_shard_id_for_distribution_column('orders', $1::uuid)`, seller).Scan(&node))
	return node
}

// commands are what the coordinator sent to the nodes.
type commands struct {
	mu   sync.Mutex
	sent []string
}

func (c *commands) add(_ *pgconn.PgConn, notice *pgconn.Notice) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = append(c.sent, notice.Message)
}

func (c *commands) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.sent = nil
}

// count returns how many commands contain a text.
func (c *commands) count(text string) (found int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, sent := range c.sent {
		if strings.Contains(sent, text) {
			found++
		}
	}
	return found
}

// logged returns a pool that records what the coordinator sends to the nodes.
func logged(t *testing.T, db *pgtest.DB) (*postgres.Pool, *commands) {
	t.Helper()
	sent, config := &commands{}, db.Pool.Config()
	config.ConnConfig.OnNotice = sent.add
	config.ConnConfig.RuntimeParams["citus.log_remote_commands"] = "on"
	config.ConnConfig.RuntimeParams["client_min_messages"] = "log"
	pool, err := pgxpool.NewWithConfig(context.WithoutCancel(t.Context()), config)
	require.NoError(t, err)
	t.Cleanup(pool.Close)
	return &postgres.Pool{Pool: pool}, sent
}
