// Package size exports the sizes of a service's tables as metrics. It reads the catalog and file sizes, never a table, so that it
// takes milliseconds for tables of any size.
package size

import (
	"context"
	"embed"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry"
)

//go:embed queries/*.sql
var files embed.FS

var queries = postgres.MustLoadQueries(files)

type table struct {
	name  string
	rows  *int64 // the planner's estimate; nil for a table that neither vacuum nor analyze has processed yet
	bytes int64  // with its indexes and the values stored out of line
}

// Export updates the metrics of the tables of the schema. A partitioned table counts once, with its partitions; a table that is
// distributed over nodes counts with its shards, and each node is queried once. A table without an estimate of its rows has no
// row metric.
func Export(ctx context.Context, db postgres.Querier, tel *telemetry.Telemetry) error {
	answer, _ := db.Query(ctx, queries.SQL("IsDistributed"))
	distributed, err := pgx.CollectExactlyOneRow(answer, pgx.RowTo[bool])
	if err != nil {
		return postgres.Classify(postgres.Wrap("IsDistributed", err))
	}
	statements := []string{"TableSizes"}
	if distributed {
		statements = append(statements, "ShardSizes") // replaces the sizes of the coordinator's empty tables
	}
	bytes, rows := tel.Gauge(telemetry.DBTableBytes), tel.Gauge(telemetry.DBTableRows)
	for _, statement := range statements {
		tables, err := read(ctx, db, statement)
		if err != nil {
			return err
		}
		for _, t := range tables {
			bytes.WithLabelValues(t.name).Set(float64(t.bytes))
			if t.rows != nil {
				rows.WithLabelValues(t.name).Set(float64(*t.rows))
			}
		}
	}
	return nil
}

func read(ctx context.Context, db postgres.Querier, statement string) ([]table, error) {
	tables, err := postgres.Collect(ctx, db, func(row pgx.CollectableRow) (t table, err error) {
		err = row.Scan(&t.name, &t.rows, &t.bytes)
		return t, err
	}, queries.SQL(statement))
	return tables, postgres.Classify(postgres.Wrap(statement, err))
}
