//go:build citus

package store

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// An installation that was distributed earlier gets the later migrations, with the orders that it has.
func TestMigrations_afterDistribution(t *testing.T) {
	t.Parallel()
	const first = "00001_orders.sql"
	initial, err := fs.ReadFile(Migrations(), first)
	require.NoError(t, err)
	db := pgtest.NewDistributed(t, fstest.MapFS{first: {Data: initial}})
	db.Config.Settings = Settings()
	seller := uuid.New()
	old := New(db.Open(t, telemetrytest.Discard(t)), order.DefaultTerms())
	place(t, old, ordertest.New("O-1", ordertest.Epoch, seller))

	require.NoError(t, postgres.Migrate(t.Context(), db.Config, db.Schema, Migrations()))

	s := New(db.Open(t, telemetrytest.Discard(t)), order.DefaultTerms())
	place(t, s, ordertest.New("O-2", ordertest.Epoch, seller))
	require.ElementsMatch(t, []string{"O-1", "O-2"}, numbers(walk(t, s, seller, order.Filter{Status: order.StatusPaid}, 50)))
}
