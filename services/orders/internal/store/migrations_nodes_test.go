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
	"sellerapi.dev/pkg/postgres/distributed"
	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
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
	db := distributedtest.New(t, fstest.MapFS{first: {Data: initial}})
	db.Config.Settings = postgres.PlannerSettings()
	seller := uuid.New()
	old := db.Open(t, telemetrytest.Discard(t))
	for _, statement := range []string{
		"insert into order_numbers (order_no, order_id, sellers, content) values ('O-1', $2, array[$1::uuid], '')",
		`insert into orders (seller_id, order_id, order_no, sellers, member_id, currency, payment, paid_at,
			point_used_amount, shipping_fee_base, shipping_fee_paid)
			values ($1, $2, 'O-1', array[$1::uuid], 'member-1', 'KRW', 'paid', '2025-01-01', 0, 0, 0)`,
		`insert into seller_orders (seller_id, order_id, paid_at, updated_at, order_status, line_states)
			values ($1, $2, '2025-01-01', '2025-01-01', 1, 1)`,
		`insert into lines (seller_id, order_id, seq, item_id, product_id, product_name, option_name, quantity, list_price, unit_price,
			line_amount, discount_amount, line_paid_amount, item_status)
			values ($1, $2, 1, gen_random_uuid(), 'p-1', 'P', 'O', 1, 1, 1, 1, 0, 1, 'paid')`,
	} {
		_, err := old.Exec(t.Context(), statement, seller, uuid.MustParse("0195923e-8c11-7b3a-9f02-51d3c0a7e4b1"))
		require.NoError(t, err)
	}

	require.NoError(t, postgres.Migrate(t.Context(), db.Config, db.Schema, Migrations()))

	s := New(db.Open(t, telemetrytest.Discard(t)), order.DefaultTerms())
	place(t, s, ordertest.New("O-2", ordertest.Epoch, seller))
	require.ElementsMatch(t, []string{"O-1", "O-2"}, numbers(walk(t, s, seller, order.Filter{Status: order.StatusPaid}, 50)))
}

// While the tables are distributed one after another, calls of the service succeed or the database is unavailable: Citus
// refuses to join tables of both kinds. Afterwards they succeed.
func TestDistribute_underCalls(t *testing.T) {
	t.Parallel()
	db := pgtest.DB{Config: pgtest.Config(t), Schema: "orders"}
	db.Config.URL, db.Config.RowSecurity, db.Config.Settings = distributedtest.Database(t), "off", postgres.PlannerSettings()
	require.NoError(t, postgres.Migrate(t.Context(), db.Config, db.Schema, Migrations()))
	s := New(db.Open(t, telemetrytest.Discard(t)), order.DefaultTerms())
	seller := uuid.New()
	place(t, s, ordertest.New("D-1", ordertest.Epoch, seller))

	done := make(chan error, 1)
	go func() {
		done <- distributed.Run(t.Context(), distributed.Config{Config: db.Config, Shards: 8}, db.Schema, io.Discard)
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
