package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/telemetry"
)

// Querier runs statements: a pool, a connection or a transaction.
type Querier interface {
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
}

// RowQuerier runs statements that return one row, inside or outside a transaction.
type RowQuerier interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// Gauge is a metric that is set from a statement. Each row has a text for each of the metric's labels, in their order, and the
// value as float8. A series without a row keeps its value, so a statement must return zeros too.
type Gauge struct {
	Metric telemetry.Metric
	SQL    string
	Args   []any
}

// Set updates the metric. It returns errors of the statement.
func (g Gauge) Set(ctx context.Context, db Querier, tel *telemetry.Telemetry) error {
	rows, err := db.Query(ctx, g.SQL, g.Args...)
	if err != nil {
		return Classify(Wrap(QueryName(g.SQL), err))
	}
	labels, value := make([]string, max(len(rows.FieldDescriptions())-1, 0)), 0.0
	into := make([]any, 0, len(labels)+1)
	for n := range labels {
		into = append(into, &labels[n])
	}
	_, err = pgx.ForEachRow(rows, append(into, &value), func() error {
		tel.Gauge(g.Metric).WithLabelValues(labels...).Set(value)
		return nil
	})
	return Classify(Wrap(QueryName(g.SQL), err))
}
