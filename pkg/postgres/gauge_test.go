package postgres_test

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// A gauge shows the result of its statement, and keeps it when the statement fails.
func TestGauge_showsReturnedRows(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, nil)
	tel := telemetrytest.Discard(t)
	gauge := tel.Gauge(telemetry.ClaimsOpen)
	const counts = "-- name: Counts\nselect * from (values ('cancel', 'requested', 3::float8), ('return', 'collected', 0)) as v"
	require.NoError(t, postgres.Gauge{Metric: telemetry.ClaimsOpen, SQL: counts}.Set(t.Context(), db.Pool, tel))
	require.InDelta(t, 3, testutil.ToFloat64(gauge.WithLabelValues("cancel", "requested")), 0)
	require.Zero(t, testutil.ToFloat64(gauge.WithLabelValues("return", "collected")))
	broken := postgres.Gauge{Metric: telemetry.ClaimsOpen, SQL: "-- name: Broken\nselect nothing"}
	require.ErrorContains(t, broken.Set(t.Context(), db.Pool, tel), "Broken")
	require.Equal(t, 2, testutil.CollectAndCount(gauge))
}
