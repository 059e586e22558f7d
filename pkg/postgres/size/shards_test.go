//go:build citus

package size_test

import (
	"testing"
	"testing/fstest"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/pkg/postgres/size"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// A distributed table counts with its shards on all nodes, and not as the empty table of the coordinator.
func TestExport_shardsCount(t *testing.T) {
	t.Parallel()
	db := distributedtest.New(t, fstest.MapFS{"00001_things.sql": {Data: []byte(`-- +goose Up
create table things (seller_id uuid not null, id bigint not null, made_at timestamptz not null, note text, primary key
(seller_id, id));
create table local (id bigint primary key);
comment on table local is 'on one node: it is one chain';`)}})
	const rows, perRow = 3000, 100
	exec(t, db, `insert into things select gen_random_uuid(), i, now(), repeat('x', $2::int) from generate_series(1, $1::int) i`,
		rows, perRow)
	exec(t, db, "insert into local values (1)")
	exec(t, db, "analyze things")
	tel := telemetrytest.Discard(t)
	require.NoError(t, size.Export(t.Context(), db.Pool, tel))
	bytes, counted := tel.Gauge(telemetry.DBTableBytes), tel.Gauge(telemetry.DBTableRows)
	require.Greater(t, testutil.ToFloat64(bytes.WithLabelValues("things")), float64(rows*perRow))
	require.InDelta(t, rows, testutil.ToFloat64(counted.WithLabelValues("things")), 0)
	require.Positive(t, testutil.ToFloat64(bytes.WithLabelValues("local")))
}
