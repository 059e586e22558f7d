package stack

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/orders"
)

// A service of a stack has the same rights as in production: policies apply to it, and it can change rows but not tables.
func TestRestrict(t *testing.T) {
	t.Parallel()
	database := pgtest.Database(t)
	require.NoError(t, orders.Schema.Migrate(t.Context(), postgres.Config{URL: database}))
	for range 2 { // twice, as when a system is started again
		restricted, err := Restrict(t.Context(), database, "orders")
		require.NoError(t, err)
		conn, err := pgx.Connect(t.Context(), restricted.Reveal())
		require.NoError(t, err)
		var free, writes, truncates bool
		require.NoError(t, conn.QueryRow(t.Context(), `select rolsuper or rolbypassrls, has_table_privilege('orders.lines', 'insert'),
			has_table_privilege('orders.lines', 'truncate') from pg_roles where rolname = current_user`).Scan(&free, &writes, &truncates))
		require.Equal(t, []bool{false, true, false}, []bool{free, writes, truncates})
		require.NoError(t, conn.Close(t.Context()))
	}
}
