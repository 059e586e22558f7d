package postgres_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// The clocks come in the order of the question, and 0 for a seller of which nothing has changed.
func TestClocks(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	a, b, unknown := uuid.New(), uuid.New(), uuid.New()
	times := tick(t, db.Pool, a, b)
	got, err := postgres.Clocks(t.Context(), db.Pool, [][]byte{b[:], unknown[:], a[:]})
	require.NoError(t, err)
	require.Equal(t, []int64{times[b].UnixMicro(), 0, times[a].UnixMicro()}, got)
	got, err = postgres.Clocks(t.Context(), db.Pool, nil)
	require.NoError(t, err)
	require.Empty(t, got)
	_, err = postgres.Clocks(t.Context(), db.Pool, [][]byte{a[:15]})
	require.ErrorIs(t, err, apierr.ValidationError)
}
