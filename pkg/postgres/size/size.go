// Package size measures a service's schema: the sizes of its tables, the cost of one record, the growth, and when its database will
// be full. It reads the catalog, file sizes and a few pages, never a whole table, so that it takes milliseconds for tables of any
// size.
//
// # How growth is found
//
// No index begins with a time, because seller_id comes first. But rows that are written once lie in the pages of their table in the
// order of time, so a binary search finds the first page of the last day with some twenty reads of one page each. The records on it
// and after it are counted if they are on a few pages; otherwise their number is estimated as the density of the table times the
// number of pages.
//
// A table that is partitioned or distributed over nodes has no such order, and no growth is shown for it.
package size

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
)

//go:embed queries/*.sql
var files embed.FS

// queries are the statements of this package.
var queries = postgres.MustLoadQueries(files)

// Record is the unit of a service's data: an order, a claim.
type Record struct {
	// Singular and Plural are its names.
	Singular, Plural string
	// Table has one row for each record, which is written with it and never updated.
	Table string
	// Time is an SQL expression for when the record of the row t was written, null for a row without one.
	Time string
	// Basis describes Time in a few words.
	Basis string
}

// Table is the size of one table.
type Table struct {
	Name string `json:"name"`
	// Rows is the planner's estimate; nil for a table that neither vacuum nor analyze has processed yet.
	Rows *int64 `json:"rows"`
	// HeapBytes includes values stored out of line.
	HeapBytes  int64 `json:"heap_bytes"`
	IndexBytes int64 `json:"index_bytes"`
	TotalBytes int64 `json:"total_bytes"`
	// BytesPerRow is the total per row; nil if there are no rows.
	BytesPerRow *float64 `json:"bytes_per_row"`

	pages int64
}

// Tables returns the tables of the schema, the largest first. A partitioned table counts once, with its partitions; a table that is
// distributed over nodes counts with its shards, and each node is queried once.
func Tables(ctx context.Context, db postgres.Querier) ([]Table, error) {
	tables, err := read(ctx, db, "TableSizes")
	if err != nil {
		return nil, err
	}
	if distributed, err := one[bool](ctx, db, "IsDistributed"); err != nil || !distributed {
		return tables, err
	}
	shards, err := read(ctx, db, "ShardSizes")
	if err != nil {
		return nil, err
	}
	return withShards(tables, shards), nil
}

// withShards replaces the sizes of the coordinator's empty tables with those of the shards.
func withShards(tables, shards []Table) []Table {
	for _, sharded := range shards {
		if n := slices.IndexFunc(tables, func(t Table) bool { return t.Name == sharded.Name }); n >= 0 {
			tables[n] = sharded
		}
	}
	slices.SortStableFunc(tables, func(a, b Table) int { return cmp.Compare(b.TotalBytes, a.TotalBytes) })
	return tables
}

// read reads tables with a statement.
func read(ctx context.Context, db postgres.Querier, statement string) ([]Table, error) {
	tables, err := postgres.Collect(ctx, db, func(row pgx.CollectableRow) (t Table, err error) {
		err = row.Scan(&t.Name, &t.Rows, &t.HeapBytes, &t.IndexBytes, &t.pages)
		t.TotalBytes = t.HeapBytes + t.IndexBytes
		if t.Rows != nil {
			t.BytesPerRow = each(t.TotalBytes, *t.Rows)
		}
		return t, err
	}, queries.SQL(statement))
	return tables, postgres.Classify(postgres.Wrap(statement, err))
}

// each returns bytes divided by count; nil if count is 0.
func each(bytes, count int64) *float64 {
	if count <= 0 {
		return nil
	}
	share := float64(bytes) / float64(count)
	return &share
}

// Options are the options of a report.
type Options struct {
	// Window is the period over which growth is measured, up to now.
	Window time.Duration
	// Capacity is the largest size of the database in bytes; 0 means not configured.
	Capacity int64
}

// Report is the size of a schema.
type Report struct {
	Schema     string  `json:"schema"`
	Tables     []Table `json:"tables"`
	TotalBytes int64   `json:"total_bytes"`
	Record     Cost    `json:"record"`
	// Inbox is nil for a service without an inbox.
	Inbox *Inbox `json:"inbox,omitempty"`
	// Growth is nil if it is unknown: there is no record yet, or the records' table is not in the order of time.
	Growth   *Growth   `json:"growth"`
	Capacity *Capacity `json:"capacity,omitempty"`

	record Record
}

// Cost is the size of the whole schema per record.
type Cost struct {
	Name      string   `json:"name"`
	Count     *int64   `json:"count"`
	BytesEach *float64 `json:"bytes_each"`
}

// Inbox is the size of the inbox: keys stay, responses are kept for their retention.
type Inbox struct {
	Keys           *int64   `json:"keys"`
	BytesPerKey    *float64 `json:"bytes_per_key"`
	Answers        *int64   `json:"answers"`
	BytesPerAnswer *float64 `json:"bytes_per_answer"`
}

// Measure reads everything in one snapshot. pool is open on the schema.
func Measure(ctx context.Context, pool *postgres.Pool, schema string, record Record, options Options) (Report, error) {
	r := Report{Schema: schema, record: record, Record: Cost{Name: record.Singular}}
	err := postgres.InSnapshot(ctx, postgres.AllSellers(pool), func(ctx context.Context, tx pgx.Tx) (err error) {
		if r.Tables, err = Tables(ctx, tx); err != nil {
			return err
		}
		var database int64
		var now time.Time
		if err := tx.QueryRow(ctx, queries.SQL("DatabaseSize")).Scan(&database, &now); err != nil {
			return fmt.Errorf("DatabaseSize: %w", err)
		}
		if database, err = onAllNodes(ctx, tx, database); err != nil {
			return err
		}
		table, err := r.sum()
		if err != nil {
			return err
		}
		records, err := search{tx: tx, queries: record.queries(), table: table}.since(ctx, now.Add(-options.Window), now)
		if err != nil {
			return err
		}
		r.grow(records)
		r.fill(options.Capacity, database, now)
		return nil
	})
	return r, err
}

// onAllNodes returns the size of a distributed database on all of its nodes, or only for a database that is not distributed.
func onAllNodes(ctx context.Context, db postgres.Querier, only int64) (int64, error) {
	if distributed, err := one[bool](ctx, db, "IsDistributed"); err != nil || !distributed {
		return only, err
	}
	return one[int64](ctx, db, "SizeOnAllNodes")
}

// one returns the single value that a statement returns.
func one[T any](ctx context.Context, db postgres.Querier, statement string) (value T, err error) {
	rows, _ := db.Query(ctx, queries.SQL(statement))
	value, err = pgx.CollectExactlyOneRow(rows, pgx.RowTo[T])
	return value, postgres.Classify(postgres.Wrap(statement, err))
}

// errNoTable reports that the schema is not that of the service, or was not migrated.
var errNoTable = errors.New("run migrate first: the schema has no table")

// sum computes the totals, and returns the table of the records.
func (r *Report) sum() (table Table, err error) {
	byName := map[string]Table{}
	r.TotalBytes = 0
	for _, t := range r.Tables {
		byName[t.Name] = t
		r.TotalBytes += t.TotalBytes
	}
	table, ok := byName[r.record.Table]
	if !ok {
		return table, fmt.Errorf("%w %s", errNoTable, r.record.Table)
	}
	if r.Record.Count = table.Rows; table.Rows != nil {
		r.Record.BytesEach = each(r.TotalBytes, *table.Rows)
	}
	if keys, ok := byName["inbox"]; ok {
		answers := byName["inbox_answers"]
		r.Inbox = &Inbox{
			Keys: keys.Rows, BytesPerKey: keys.BytesPerRow, Answers: answers.Rows, BytesPerAnswer: answers.BytesPerRow,
		}
	}
	return table, nil
}
