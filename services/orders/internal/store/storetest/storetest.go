// Package storetest gives a test a store on a schema of its own, on a real server.
package storetest

import (
	"testing"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/store"
)

// New returns a store and its database, whose pool is the store's.
func New(tb testing.TB) (*store.Store, *pgtest.DB) {
	tb.Helper()
	db := pgtest.New(tb, store.Migrations())
	db.Config.Settings = postgres.PlannerSettings()
	db.Pool = db.Open(tb, telemetrytest.Discard(tb))
	return store.New(db.AsService(tb), order.DefaultTerms()), db
}
