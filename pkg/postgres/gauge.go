package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus"
)

// Querier is what can run a statement: a pool, a connection, a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// SetGauge sets a gauge from the rows of a statement: a text for each of its labels, in their order, and the value as
// float8. A series that no row speaks of keeps its value, so a statement returns zeros too. Errors are of the table.
func SetGauge(ctx context.Context, db Querier, gauge *prometheus.GaugeVec, sql string, args ...any) error {
	rows, err := db.Query(ctx, sql, args...)
	if err != nil {
		return Classify(fmt.Errorf("%s: %w", QueryName(sql), err))
	}
	labels, value := make([]string, max(len(rows.FieldDescriptions())-1, 0)), 0.0
	into := make([]any, 0, len(labels)+1)
	for n := range labels {
		into = append(into, &labels[n])
	}
	_, err = pgx.ForEachRow(rows, append(into, &value), func() error {
		gauge.WithLabelValues(labels...).Set(value)
		return nil
	})
	if err != nil {
		return Classify(fmt.Errorf("%s: %w", QueryName(sql), err))
	}
	return nil
}
