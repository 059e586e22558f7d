package postgres_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// Behind a pooler a session has the settings of its role only. With the statements for the role they are those of a session
// without one.
func TestRoleSettings_asInSessions(t *testing.T) {
	t.Parallel()
	db := with(t, func(c *postgres.Config) {
		c.MaxConns, c.StatementTimeout, c.Settings = 1, 7*time.Second,
			map[string]string{"enable_seqscan": "off", "plan_cache_mode": "force_generic_plan"}
	})
	const settings = `select coalesce(string_agg(name || '=' || replace(setting,
		'"', ''), ' ' order by name), '') || ' ' || current_setting('app.seller')
		from pg_settings where source not in ('default', 'override', 'configuration file', 'command line', 'environment variable')
		and name not in ('application_name', 'client_encoding')`
	role := createRole(t, db, "grant usage on schema %[2]s to %[1]s")
	url, err := pgx.ParseConfig(role)
	require.NoError(t, err)
	db.Config.URL = secret.New(role)
	direct := one[string](t, db.Open(t, telemetrytest.Discard(t)), settings)
	require.Contains(t, direct, "enable_seqscan=off")
	require.Contains(t, direct, "statement_timeout=7000")

	for _, statement := range db.Config.RoleSettings(db.Schema, url.User) {
		_, err := db.Pool.Exec(t.Context(), statement)
		require.NoError(t, err, statement)
	}
	db.Config.TransactionPooling = true
	require.Equal(t, direct, one[string](t, db.Open(t, telemetrytest.Discard(t)), settings))
}
