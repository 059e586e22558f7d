package pgtest

import (
	"maps"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// serviceRole is the role of a service as in production: it reads and writes rows, owns nothing, and is subject to policies.
const serviceRole = "secured_service"

// AsService opens a pool on the schema as in production: it is subject to policies, while the statements of Pool see the rows
// of all sellers.
func (db *DB) AsService(tb testing.TB) *postgres.Pool {
	tb.Helper()
	secured := *db
	secured.Config.Settings = map[string]string{"role": serviceRole}
	maps.Copy(secured.Config.Settings, db.Config.Settings)
	return secured.Open(tb, telemetrytest.Discard(tb))
}

// ownRole creates the role, which is global to the server, and grants its rights in a database.
func ownRole(tb testing.TB, config postgres.Config) {
	tb.Helper()
	run(tb, config, "do $$ begin create role "+serviceRole+"; exception when duplicate_object or unique_violation then null; end $$")
	for _, statement := range postgres.RowRights(Schema, serviceRole) {
		run(tb, config, statement)
	}
}

// SecuredTables fails unless every table with a seller_id has policies, also for its owner, and returns those tables. The
// results of a service that always sets its seller would not reveal a table without policies.
func SecuredTables(tb testing.TB, db *DB) []string {
	tb.Helper()
	rows, err := db.Pool.Query(tb.Context(), `
		select c.relname, c.relrowsecurity and c.relforcerowsecurity
			and exists (select from pg_policy p where p.polrelid = c.oid and p.polcmd = '*' and p.polwithcheck is null)
		from pg_class c
		join pg_attribute a on a.attrelid = c.oid and a.attname = 'seller_id' and not a.attisdropped
		where c.relnamespace = $1::regnamespace and c.relkind in ('r', 'p', 'f')
		order by c.relname`, db.Schema)
	require.NoError(tb, err)
	var tables []string
	var table string
	var secured bool
	_, err = pgx.ForEachRow(rows, []any{&table, &secured}, func() error {
		require.True(tb, secured, "%s has a seller_id and no row-level security: see \"Tenant isolation\" in package postgres", table)
		tables = append(tables, table)
		return nil
	})
	require.NoError(tb, err)
	require.NotEmpty(tb, tables)
	return tables
}
