package size_test

import (
	"testing"
	"testing/fstest"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/postgres/size"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

func exec(t *testing.T, db *pgtest.DB, sql string, args ...any) {
	t.Helper()
	_, err := postgres.AllSellers(db.Pool).Exec(t.Context(), sql, args...)
	require.NoError(t, err)
}

// After analyze the metrics are those of the server: the rows and bytes of each table, though policies hide its rows from the
// pool of a service, and the partitions of a table in one sum.
func TestExport(t *testing.T) {
	t.Parallel()
	db, tel := pgtest.New(t, fstest.MapFS{"00001_things.sql": {Data: []byte(`-- +goose Up
create table things (seller_id uuid not null, id bigint not null, note text, primary key (seller_id, id));
create policy seller_wall on things using (coalesce(seller_id = nullif(current_setting('app.seller', true), '')::uuid, true));
alter table things enable row level security, force row level security;
create table unread (id bigint primary key);
create table parts (id bigint not null, half int not null, primary key (id, half)) partition by list (half);
create table parts_1 partition of parts for values in (1);
create table parts_2 partition of parts for values in (2);`)}}), telemetrytest.Discard(t)
	exec(t, db, `insert into things select md5((i % 3)::text)::uuid, i, repeat('x', 100) from generate_series(1, 300) i`)
	exec(t, db, "insert into parts select i, 1 + i % 2 from generate_series(1, 600) i")
	exec(t, db, "insert into unread values (1)")
	exec(t, db, "analyze things")
	exec(t, db, "analyze parts")
	require.NoError(t, size.Export(t.Context(), db.Pool, tel))
	bytes, rows := tel.Gauge(telemetry.DBTableBytes), tel.Gauge(telemetry.DBTableRows)
	for table, wanted := range map[string]struct {
		rows  float64
		bytes string // the server's statement
	}{
		"things": {300, "select pg_total_relation_size('things')"},
		"parts":  {600, "select pg_total_relation_size('parts_1') + pg_total_relation_size('parts_2')"},
		"unread": {0, "select pg_total_relation_size('unread')"},
	} {
		var total int64
		require.NoError(t, db.Pool.QueryRow(t.Context(), wanted.bytes).Scan(&total))
		require.InDelta(t, total, testutil.ToFloat64(bytes.WithLabelValues(table)), 0, table)
		if wanted.rows > 0 {
			require.InDelta(t, wanted.rows, testutil.ToFloat64(rows.WithLabelValues(table)), 0, table)
		}
	}
	require.Equal(t, 4, testutil.CollectAndCount(bytes), "those three and the table of migrations")
	require.Less(t, testutil.CollectAndCount(rows), 4, "what nothing has analyzed has no count of rows")
}
