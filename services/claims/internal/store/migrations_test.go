package store_test

import (
	"io/fs"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/claims/internal/store"
)

// The record's statements are those of package inbox, so its tables must be the ones that the package describes.
func TestTheTablesOfTheRecordAreThoseOfPackageInbox(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"00002_inbox.sql": inbox.Schema} {
		migration, err := fs.ReadFile(store.Migrations(), name)
		require.NoError(t, err)
		require.Contains(t, string(migration), text)
	}
}

// Claims of before were quoted without points, so they are paid in money; a return of a free shipment has charged the way out.
func TestMigrations_moneyOfBefore(t *testing.T) {
	t.Parallel()
	names, err := fs.Glob(store.Migrations(), "*.sql")
	require.NoError(t, err)
	old := fstest.MapFS{}
	for _, name := range names[:slices.Index(names, "00011_points.sql")] {
		text, err := fs.ReadFile(store.Migrations(), name)
		require.NoError(t, err)
		old[name] = &fstest.MapFile{Data: text}
	}
	b := fixture{DB: pgtest.New(t, old)}
	for _, statement := range []string{
		`insert into claims (claim_no, seller_id, order_no, type, status, reason_code, goods_amount, shipping_fee, price_difference,
			order_shipping_paid, seller_quantity, refund_amount, requested_at, updated_at)
			select kind || shipping, gen_random_uuid(), 'O-1', kind, 'requested', 'etc', 10000, fee, 0, shipping, 1, 10000 - fee, now(), now()
			from (values ('return', 0, 6000), ('return', 3000, 3000), ('exchange', 0, 6000), ('cancel', 0, 0)) as c (kind, shipping, fee)`,
		`insert into refunds (id, claim_id, kind, amount, status, failures, created_at)
			select gen_random_uuid(), id, 'refund', refund_amount, 'queued', 0, now() from claims`,
		"insert into ledger (claim_id, kind, amount, reference, moved_at) select id, 'shortfall_payment', 1, claim_no, now() from claims",
	} {
		_, err := b.Pool.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.NoError(t, postgres.Migrate(t.Context(), b.Config, b.Schema, store.Migrations()))
	require.Equal(t, []string{"cancel0 0 10000 0", "exchange0 0 4000 0", "return0 3000 4000 0", "return3000 0 7000 0"}, b.texts(t,
		`select claim_no || ' ' || way_out_fee || ' ' || r.amount || ' ' || r.points from claims c join refunds r on r.claim_id = c.id order by 1`))
	for _, none := range []string{"amount = 0", "amount = -1, points = 2", "points = -1"} {
		_, err = b.Pool.Exec(t.Context(), "update refunds set "+none)
		require.ErrorContains(t, err, "violates check constraint", none)
	}
	_, err = b.Pool.Exec(t.Context(), "update refunds set amount = 0, points = 1")
	require.NoError(t, err)
}
