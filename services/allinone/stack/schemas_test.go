package stack

import (
	"os"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// The script that operators run once for all services works: each service's owner may create tables, the service itself may
// only read and write their rows. The test rolls its transaction back because roles belong to the whole server.
func TestSchemas(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../../../k8s/schemas/schemas.sql")
	require.NoError(t, err)
	connection, err := pgx.Connect(t.Context(), pgtest.Database(t).Reveal())
	require.NoError(t, err)
	defer func() { _ = connection.Close(t.Context()) }()
	tx, err := connection.Begin(t.Context())
	require.NoError(t, err)
	_, err = tx.Exec(t.Context(), string(script))
	require.NoError(t, err)
	for _, service := range append(operation.Services(), "gateway") {
		name := string(service)
		_, err := tx.Exec(t.Context(), "set local role "+name+"_owner; create table "+name+".t (id bigint); set local role "+name)
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), "insert into "+name+".t values (1); update "+name+".t set id = 2; delete from "+name+".t")
		require.NoError(t, err)
		var owns, truncates, login bool
		require.NoError(t, tx.QueryRow(t.Context(), `select has_schema_privilege($1, 'create'), has_table_privilege($1 || '.t',
			'truncate'),
			(select rolcanlogin from pg_roles where rolname = $1)`, name).Scan(&owns, &truncates, &login))
		require.Equal(t, []bool{false, false, true}, []bool{owns, truncates, login}, name)
		_, err = tx.Exec(t.Context(), "reset role")
		require.NoError(t, err)
	}
}
