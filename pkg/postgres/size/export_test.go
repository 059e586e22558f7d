package size_test

import (
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/size"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// The metrics equal the report's figures, with the pool of a service, which sees no row because of
// the policies.
func TestExport(t *testing.T) {
	t.Parallel()
	db, tel := filled(t, 300), telemetrytest.Discard(t)
	require.NoError(t, size.Export(t.Context(), db.Pool, tel))
	tables, err := size.Tables(t.Context(), db.Pool)
	require.NoError(t, err)
	require.NotEmpty(t, tables)
	known := 0
	for _, table := range tables {
		require.InDelta(t, table.TotalBytes, testutil.ToFloat64(tel.Gauge(telemetry.DBTableBytes).WithLabelValues(table.Name)), 0, table.Name)
		if table.Rows != nil {
			known++
			require.InDelta(t, *table.Rows, testutil.ToFloat64(tel.Gauge(telemetry.DBTableRows).WithLabelValues(table.Name)), 0, table.Name)
		}
	}
	require.Equal(t, len(tables), testutil.CollectAndCount(tel.Gauge(telemetry.DBTableBytes)))
	require.Equal(t, known, testutil.CollectAndCount(tel.Gauge(telemetry.DBTableRows)))
}
