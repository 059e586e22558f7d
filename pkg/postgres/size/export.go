package size

import (
	"context"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry"
)

// Export updates the metrics of the tables. A table without an estimate of its rows has no row metric.
func Export(ctx context.Context, db postgres.Querier, tel *telemetry.Telemetry) error {
	tables, err := Tables(ctx, db)
	if err != nil {
		return err
	}
	bytes, rows := tel.Gauge(telemetry.DBTableBytes), tel.Gauge(telemetry.DBTableRows)
	for _, t := range tables {
		bytes.WithLabelValues(t.Name).Set(float64(t.TotalBytes))
		if t.Rows != nil {
			rows.WithLabelValues(t.Name).Set(float64(*t.Rows))
		}
	}
	return nil
}
