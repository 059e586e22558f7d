package pgtest

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

// RequireSellerLeads fails unless seller_id is the first column of every key and index of every table that has a seller_id, and
// part of every reference between such tables, so that all rows of a seller can live on one node. exceptions maps the names of
// indexes and constraints that begin with something else to the reason; an exception that is not needed is an error as well.
func RequireSellerLeads(tb testing.TB, db *DB, exceptions map[string]string) {
	tb.Helper()
	rows, err := db.Pool.Query(tb.Context(), `
		with owned as (
			select c.oid, a.attnum
			from pg_class c
			join pg_attribute a on a.attrelid = c.oid and a.attname = 'seller_id' and not a.attisdropped
			where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p')
		)
		select i.indexrelid::regclass::text, i.indkey[0] = o.attnum
		from owned o join pg_index i on i.indrelid = o.oid
		union all
		select f.conname, f.conkey[1] = o.attnum
		from owned o join pg_constraint f on f.conrelid = o.oid and f.contype = 'f'
		order by 1`, db.Schema)
	require.NoError(tb, err)
	var name string
	var leads bool
	checked := 0
	_, err = pgx.ForEachRow(rows, []any{&name, &leads}, func() error {
		checked++
		_, excepted := exceptions[name]
		require.NotEqual(tb, excepted, leads, "%s: seller_id is its first column, or the exception is given with its reason", name)
		return nil
	})
	require.NoError(tb, err)
	require.NotZero(tb, checked)
}

// RequireAppendOnly fails unless the role of a service, as in production, can neither update nor delete rows of the tables, and
// these are exactly the tables that are protected in this way.
func RequireAppendOnly(tb testing.TB, db *DB, tables ...string) {
	tb.Helper()
	require.ElementsMatch(tb, tables, db.appendOnly(tb, serviceRole))
}

// appendOnly returns the tables in which a role can select and insert, but neither update nor delete.
func (db *DB) appendOnly(tb testing.TB, role string) []string {
	tb.Helper()
	rows, err := db.Pool.Query(tb.Context(), `
		select c.relname
		from pg_class c
		where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p')
			and not has_table_privilege($2, c.oid, 'update, delete, truncate')
			and has_table_privilege($2, c.oid, 'insert') and has_table_privilege($2, c.oid, 'select')`, db.Schema, role)
	require.NoError(tb, err)
	found, err := pgx.CollectRows(rows, pgx.RowTo[string])
	require.NoError(tb, err)
	return found
}
