// Package storetest gives a test a store on a schema of its own, on a real server.
package storetest

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/store"
)

// New returns a store and its database, whose pool is the store's.
func New(tb testing.TB) (*store.Store, *pgtest.DB) {
	tb.Helper()
	db := pgtest.New(tb, store.Migrations())
	pool, err := store.Open(tb.Context(), db.Config, db.Schema, telemetry.Discard(tb))
	require.NoError(tb, err)
	tb.Cleanup(pool.Close)
	db.Pool = pool
	return store.New(pool, order.DefaultTerms(), nil), db
}
