//go:build citus

package store

import (
	"io"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distribute"
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

// While the tables are distributed one after another, calls of the service succeed or the database is unavailable: Citus refuses to join
// tables of both kinds. Afterwards they succeed.
func TestDistribute_underCalls(t *testing.T) {
	t.Parallel()
	db := pgtest.DB{Config: pgtest.Config(t), Schema: "orders"}
	db.Config.URL, db.Config.RowSecurity, db.Config.Settings = pgtest.DistributedDatabase(t), "off", Settings()
	require.NoError(t, postgres.Migrate(t.Context(), db.Config, db.Schema, Migrations()))
	s := New(db.Open(t, telemetrytest.Discard(t)), order.DefaultTerms())
	seller := uuid.New()
	place(t, s, ordertest.New("D-1", ordertest.Epoch, seller))

	done := make(chan error, 1)
	go func() {
		done <- distribute.Run(t.Context(), distribute.Config{Config: db.Config, Shards: 8}, db.Schema, io.Discard)
	}()
	refused := 0
	for running := true; running; {
		select {
		case err := <-done:
			require.NoError(t, err)
			running = false
		default:
			if _, err := s.List(t.Context(), seller, order.Filter{}, nil, 50); err != nil {
				require.ErrorIs(t, err, apierr.Unavailable)
				refused++
			}
		}
	}
	require.Positive(t, refused, "no call fell between two tables")
	require.Equal(t, []string{"D-1"}, numbers(walk(t, s, seller, order.Filter{}, 50)))
}
