//go:build citus

package size_test

import (
	"testing"
	"testing/fstest"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/postgres/size"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// A distributed table counts with its shards on all nodes, in the report and in the metrics, and not as the empty table of the
// coordinator.
func TestTables_shardsCount(t *testing.T) {
	t.Parallel()
	db := pgtest.NewDistributed(t, fstest.MapFS{"00001_things.sql": {Data: []byte(`-- +goose Up
create table things (seller_id uuid not null, id bigint not null, made_at timestamptz not null, note text, primary key (seller_id, id));
create table local (id bigint primary key);
comment on table local is 'on one node: it is one chain';`)}})
	const rows, perRow = 3000, 100
	exec(t, db, `insert into things select gen_random_uuid(), i, now(), repeat('x', $2::int) from generate_series(1, $1::int) i`, rows, perRow)
	exec(t, db, "insert into local values (1)")
	exec(t, db, "analyze things")
	tables, err := size.Tables(t.Context(), db.Pool)
	require.NoError(t, err)
	bytes := map[string]int64{}
	for _, table := range tables {
		bytes[table.Name] = table.TotalBytes
	}
	require.Greater(t, bytes["things"], int64(rows*perRow))
	require.Positive(t, bytes["local"])
	require.Equal(t, "things", tables[0].Name)
	require.EqualValues(t, rows, *tables[0].Rows)

	record := size.Record{Singular: "thing", Plural: "things", Table: "things", Time: "t.made_at", Basis: "made_at"}
	report, err := size.Measure(t.Context(), db.Pool, db.Schema, record, size.Options{Capacity: 1 << 40})
	require.NoError(t, err)
	require.Equal(t, bytes["things"], report.Tables[0].TotalBytes)
	require.Nil(t, report.Growth)
	var coordinator int64
	require.NoError(t, db.Pool.QueryRow(t.Context(), "select pg_database_size(current_database())").Scan(&coordinator))
	require.Greater(t, report.Capacity.DatabaseBytes, 2*coordinator, "the database is on three nodes")

	tel := telemetrytest.Discard(t)
	require.NoError(t, size.Export(t.Context(), db.Pool, tel))
	require.InDelta(t, bytes["things"], testutil.ToFloat64(tel.Gauge(telemetry.DBTableBytes).WithLabelValues("things")), 0)
}
