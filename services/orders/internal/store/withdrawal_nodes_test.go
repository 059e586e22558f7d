//go:build citus

package store

import (
	"testing"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
)

// The same on several nodes, which commit one after another.
func TestForget_manyWritersOnNodes(t *testing.T) {
	t.Parallel()
	db := distributedtest.New(t, Migrations())
	db.Config.Settings = postgres.PlannerSettings()
	db.Pool = db.Open(t, telemetrytest.Discard(t))
	forgetUnderWriters(t, New(db.Pool, order.DefaultTerms()), db, 15)
}
