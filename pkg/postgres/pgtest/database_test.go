package pgtest_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/secret"
)

func on(t *testing.T, database secret.Text, statements string) (tables int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database.Reveal())
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close(t.Context())) }()
	_, err = conn.Exec(t.Context(), statements)
	require.NoError(t, err)
	require.NoError(t, conn.QueryRow(t.Context(), "select count(*) from pg_tables where schemaname = 'public'").Scan(&tables))
	return tables
}

func TestCopy_independentOfOriginal(t *testing.T) {
	t.Parallel()
	original := pgtest.Database(t)
	require.Equal(t, 1, on(t, original, "create table one ()"))
	first, second := pgtest.Copy(t, original), pgtest.Copy(t, original)
	require.Equal(t, 2, on(t, first, "create table two ()"))
	for _, untouched := range []secret.Text{original, second} {
		require.Equal(t, 1, on(t, untouched, "select"))
	}
}
