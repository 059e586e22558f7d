package pgtest

import (
	"crypto/rand"
	"io/fs"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// RequireAppendOnlyByDefault is RequireAppendOnly for a role that has rights on every new table through default privileges, as
// k8s/schemas grants them in production: the migrations themselves must revoke the right to change rows.
func RequireAppendOnlyByDefault(tb testing.TB, migrations fs.FS, tables ...string) {
	tb.Helper()
	config, role := Config(tb), "service-"+rand.Text()
	quoted := pgx.Identifier{role}.Sanitize()
	run(tb, config, "create role "+quoted)
	server := config
	tb.Cleanup(func() { run(tb, server, "drop role "+quoted) }) // after its database, in which it has rights
	config.URL = Database(tb)
	run(tb, config, "create schema "+Schema)
	run(tb, config, "alter default privileges in schema "+Schema+
		" grant select, insert, update, delete, truncate on tables to "+quoted)
	require.NoError(tb, postgres.Migrate(tb.Context(), config, Schema, migrations))
	db := &DB{Config: config, Schema: Schema}
	db.Pool = db.Open(tb, telemetrytest.Discard(tb))
	require.ElementsMatch(tb, tables, db.appendOnly(tb, role))
}
