package store

import (
	"io/fs"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// The record's statements are those of package inbox, so its tables must be the ones that the package describes.
func TestTheTablesOfTheRecordAreThoseOfPackageInbox(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"00004_inbox.sql": inbox.Schema} {
		migration, err := fs.ReadFile(Migrations(), name)
		require.NoError(t, err)
		require.Contains(t, string(migration), text)
	}
}

// Orders that were there before purchases had deadlines get one, and everything else of them stays.
func TestDeliveredItemsOfBeforeGetADeadline(t *testing.T) {
	t.Parallel()
	old := fstest.MapFS{}
	for _, name := range []string{"00001_orders.sql", "00002_list_indexes.sql"} {
		text, err := fs.ReadFile(Migrations(), name)
		require.NoError(t, err)
		old[name] = &fstest.MapFile{Data: text}
	}
	db := pgtest.New(t, old)
	for _, statement := range []string{
		"insert into orders (order_no, member_id, currency, payment, paid_at, content) values ('A', 'm', 'KRW', 'paid', '2026-01-01Z', '')",
		"insert into shipments (order_id, seller_id, carrier_name, tracking_no) select id, gen_random_uuid(), 'x', '1' from orders",
		`insert into lines (order_id, seq, item_id, seller_id, product_id, product_name, option_name, quantity, list_price, unit_price,
			line_amount, discount_amount, line_paid_amount, item_status, shipment_id, shipped_at, delivered_at)
			select o.id, n, gen_random_uuid(), s.seller_id, 'p', 'p', '', 1, 1, 1, 1, 0, 1, state, shipment, shipped, delivered
			from orders o, shipments s, (values
				(1, 'paid', null::bigint, null::timestamptz, null::timestamptz),
				(2, 'delivered', 1, '2026-01-02Z', '2026-01-03Z')) as l (n, state, shipment, shipped, delivered)`,
	} {
		_, err := db.Pool.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.NoError(t, postgres.Migrate(t.Context(), db.Config, db.Schema, Migrations()))
	var deadline time.Time
	require.NoError(t, db.Pool.QueryRow(t.Context(), "select auto_confirm_at from lines where seq = 2").Scan(&deadline))
	require.Equal(t, time.Date(2026, 1, 11, 0, 0, 0, 0, time.UTC), deadline.UTC())
	var others int
	require.NoError(t, db.Pool.QueryRow(t.Context(), "select count(auto_confirm_at) from lines where seq = 1").Scan(&others))
	require.Zero(t, others)
}

// No matter who writes a line, the fields are those of its state: the database refuses anything else.
func TestMigrations_stateDecidesFields(t *testing.T) {
	t.Parallel()
	h := newShop(t).delivered()
	for constraint, change := range map[string]string{
		"lines_parcel":    "item_status = 'paid', delivered_at = null, auto_confirm_at = null",
		"lines_delivered": "item_status = 'shipping', auto_confirm_at = null",
		"lines_confirmed": "item_status = 'confirmed', auto_confirm_at = null",
		"lines_deadline":  "auto_confirm_at = null",
		"lines_claim":     "has_active_claim = true, auto_confirm_at = null",
		"lines_gate":      "is_exchange = true",
		"lines_split":     "exchange_claim_no = 'C-1', origin_item_id = item_id",
	} {
		_, err := h.db.Pool.Exec(t.Context(), "update lines set "+change+" where seq = 1")
		var refused *pgconn.PgError
		require.ErrorAs(t, err, &refused, constraint)
		require.Equal(t, constraint, refused.ConstraintName)
	}
}
