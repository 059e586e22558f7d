package postgres_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// Sellers come in the order of their clocks, those after the position only, and the time is from before they were read.
func TestChangedSellers(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	var want []postgres.SellerClock
	for range 4 {
		seller := uuid.New()
		want = append(want, postgres.SellerClock{Seller: seller, Last: tick(t, db.Pool, seller)[seller]})
	}
	want = append(want[1:], postgres.SellerClock{Seller: want[0].Seller, Last: tick(t, db.Pool, want[0].Seller)[want[0].Seller]})
	got, now, err := postgres.ChangedSellers(t.Context(), db.Pool, paging.Beginning(), 3)
	require.NoError(t, err)
	require.Equal(t, want[:3], got)
	require.True(t, now.After(want[3].Last))
	position := paging.Position{UpdatedAt: want[1].Last, ID: want[1].Seller}
	got, _, err = postgres.ChangedSellers(t.Context(), db.Pool, position, 10)
	require.NoError(t, err)
	require.Equal(t, want[2:], got)
	got, _, err = postgres.ChangedSellers(t.Context(), db.Pool, paging.Since(now), 10)
	require.NoError(t, err)
	require.Empty(t, got)
}
