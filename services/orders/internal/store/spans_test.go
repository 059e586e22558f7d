package store

import (
	"context"
	"fmt"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// wrongSpans counts the changes of paid orders that do not lie in the span of their state, and the spans that hold no change. An
// order of several sellers may have some of those, and wider ones than need be.
const wrongSpans = `select
	(select count(*) from status_changes c join seller_orders so on so.seller_id = c.seller_id and so.order_id = c.order_id
	cross join lateral (values
		('paid', so.first_paid, so.last_paid), ('preparing', so.first_preparing, so.last_preparing),
		('shipping', so.first_shipping, so.last_shipping), ('delivered', so.first_delivered, so.last_delivered),
		('confirmed', so.first_ended, so.last_ended), ('canceled', so.first_ended, so.last_ended),
		('returned', so.first_ended, so.last_ended), ('exchanged', so.first_ended, so.last_ended)) as s (state, first, last)
	where c.to_status = s.state and not coalesce(c.changed_at between s.first and s.last, false))
	+ (select count(*) from seller_orders so where so.paid_at is not null
		and not exists (select from seller_orders other where other.order_id = so.order_id and other.seller_id <> so.seller_id)
		and (num_nonnulls(so.first_paid, so.first_preparing, so.first_shipping, so.first_delivered, so.first_ended) <> (
			select count(distinct case when c.to_status in ('confirmed', 'canceled', 'returned', 'exchanged') then 'ended' else c.to_status end)
			from status_changes c where c.seller_id = so.seller_id and c.order_id = so.order_id)))`

// requireSpans fails unless every order has its spans. A list that passes over an order because of them does not show it.
func requireSpans(t *testing.T, db *pgtest.DB) {
	t.Helper()
	var wrong int
	require.NoError(t, db.Pool.QueryRow(t.Context(), wrongSpans).Scan(&wrong))
	require.Zero(t, wrong)
}

// before is a schema of the version before, which has no spans, with orders that were paid and shipped twice.
func before(t *testing.T, orders int) *pgtest.DB {
	t.Helper()
	old := fstest.MapFS{}
	all, err := fs.Glob(Migrations(), "*.sql")
	require.NoError(t, err)
	for _, name := range all[:4] {
		text, err := fs.ReadFile(Migrations(), name)
		require.NoError(t, err)
		old[name] = &fstest.MapFile{Data: text}
	}
	db := pgtest.New(t, old)
	for _, statement := range []string{
		`insert into orders (order_no, member_id, currency, payment, paid_at, content)
			select 'B-' || n, 'm', 'KRW', 'paid', '2026-01-01Z', '' from generate_series(1, $1::int) n`,
		`insert into orders (order_no, member_id, currency, payment, content)
			select 'U-' || n, 'm', 'KRW', 'pending', '' from generate_series(1, $1::int / 10) n`,
		`insert into seller_orders (seller_id, order_id, paid_at, updated_at, order_status, seller_order_status, line_states,
			point_used_amount, shipping_fee_base, shipping_fee_paid)
			select md5((id % 3 * $1)::text)::uuid, id, paid_at, paid_at + interval '3 days', status, s.status, array[status], 0, 0, 0
			from orders cross join lateral (select case when paid_at is not null then 'shipping' end as status) s
			where paid_at is not null`,
		`insert into seller_orders (seller_id, order_id, point_used_amount, shipping_fee_base, shipping_fee_paid)
			select md5((id % 3 * $1)::text)::uuid, id, 0, 0, 0 from orders where paid_at is null`,
		`insert into status_changes (seller_id, order_id, to_status, changed_at, item_ids)
			select seller_id, order_id, state, at::timestamptz, array[gen_random_uuid()] from seller_orders,
				(values ('paid', '2026-01-01Z'), ('shipping', '2026-01-02Z'), ('shipping', '2026-01-04Z')) as c (state, at)
			where paid_at is not null and $1 > 0`,
	} {
		_, err := db.Pool.Exec(t.Context(), statement, orders)
		require.NoError(t, err)
	}
	return db
}

// writeAsBefore lets the version before deliver a paid order, or place one that was paid.
func writeAsBefore(t *testing.T, db *pgtest.DB, n int) {
	t.Helper()
	require.NoError(t, postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		var id int64
		err := tx.QueryRow(ctx, "select id from orders where order_no = $1 for no key update", fmt.Sprintf("B-%d", n)).Scan(&id)
		if err != nil {
			return err
		}
		batch := &pgx.Batch{}
		batch.Queue(`insert into status_changes (seller_id, order_id, to_status, changed_at, item_ids)
			select seller_id, order_id, 'delivered', clock_timestamp(), array[gen_random_uuid()] from seller_orders where order_id = $1`, id)
		batch.Queue("update seller_orders set updated_at = clock_timestamp(), line_states = '{delivered}' where order_id = $1", id)
		batch.Queue(`insert into orders (order_no, member_id, currency, payment, paid_at, content)
			values ('N-' || gen_random_uuid(), 'm', 'KRW', 'paid', '2026-01-05Z', '')`)
		batch.Queue(`insert into status_changes (seller_id, order_id, to_status, changed_at, item_ids)
			values (gen_random_uuid(), currval('orders_id_seq'), 'paid', '2026-01-05Z', array[gen_random_uuid()])`)
		batch.Queue(`insert into seller_orders (seller_id, order_id, paid_at, updated_at, order_status, seller_order_status, line_states,
			point_used_amount, shipping_fee_base, shipping_fee_paid)
			select seller_id, order_id, changed_at, c.changed_at, 'paid', 'paid', '{paid}', 0, 0, 0
			from status_changes c where order_id = currval('orders_id_seq')`)
		return tx.SendBatch(ctx, batch).Close()
	}))
}

// Orders that were there before get their spans while the version before goes on to write, and what that one writes afterwards
// has them too.
func TestMigrations_spansBackfilledDuringWrites(t *testing.T) {
	t.Parallel()
	const orders = 1200
	db := before(t, orders)
	migrated := make(chan error)
	go func() { migrated <- postgres.Migrate(t.Context(), db.Config, db.Schema, Migrations()) }()
	var err error
	for n, done := 1, false; !done; n++ {
		writeAsBefore(t, db, 1+n%orders)
		select {
		case err = <-migrated:
			done = true
		default:
		}
	}
	require.NoError(t, err)
	requireSpans(t, db)
	for n := range 5 {
		writeAsBefore(t, db, 1+n)
	}
	requireSpans(t, db)
	var shipped, unpaid int
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select count(*) filter (where last_shipping - first_shipping = interval '2 days'),
		count(*) filter (where first_paid is null) from seller_orders`).Scan(&shipped, &unpaid))
	require.Equal(t, orders, shipped)
	require.Equal(t, orders/10, unpaid)
}

// indexesOf are the indexes of a table by name, without the schema.
func indexesOf(t *testing.T, db *pgtest.DB, table string) map[string]string {
	t.Helper()
	rows, err := db.Pool.Query(t.Context(), `select c.relname, replace(pg_get_indexdef(c.oid), current_schema() || '.', '')
		from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = $1::regclass and i.indisvalid`, table)
	require.NoError(t, err)
	indexes := map[string]string{}
	var name, definition string
	_, err = pgx.ForEachRow(rows, []any{&name, &definition}, func() error {
		indexes[name] = definition
		return nil
	})
	require.NoError(t, err)
	return indexes
}

// An upgrade leads to the same indexes as an installation, also one that was broken off and begun again.
func TestAnUpgradedSchemaHasTheIndexesOfANewOne(t *testing.T) {
	t.Parallel()
	_, fresh := setup(t)
	db := before(t, 10)
	require.NoError(t, postgres.Migrate(t.Context(), db.Config, db.Schema, Migrations()))
	require.Equal(t, indexesOf(t, fresh, "seller_orders"), indexesOf(t, db, "seller_orders"))
	for _, statement := range []string{
		"delete from goose_db_version where version_id >= 6",
		"update pg_index set indisvalid = false where indexrelid = 'seller_orders_latest'::regclass",
	} {
		_, err := db.Pool.Exec(t.Context(), statement)
		require.NoError(t, err)
	}
	require.NoError(t, postgres.Migrate(t.Context(), db.Config, db.Schema, Migrations()))
	require.Equal(t, indexesOf(t, fresh, "seller_orders"), indexesOf(t, db, "seller_orders"))
}
