//go:build citus

package distributed_test

import (
	"bytes"
	"context"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distributed"
	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// filled returns a migrated database of several nodes whose rows are all on the coordinator.
func filled(t *testing.T) *pgtest.DB {
	t.Helper()
	db := &pgtest.DB{Config: pgtest.Config(t), Schema: "filled"}
	db.Config.URL, db.Config.RowSecurity = distributedtest.Database(t), "off"
	require.NoError(t, postgres.Migrate(t.Context(), db.Config, db.Schema, schema("")))
	db.Pool = db.Open(t, telemetrytest.Discard(t))
	_, err := db.Pool.Exec(t.Context(), `
		with made as (select gen_random_uuid() as seller_id, n::text as no from generate_series(1, 500) n),
		numbered as (insert into numbers (seller_id, no) select seller_id, no from made),
		placed as (insert into orders (seller_id, no) select seller_id, no from made returning seller_id, no)
		insert into lines (seller_id, no, seq) select seller_id, no, seq from placed, generate_series(1, 3) seq`)
	require.NoError(t, err)
	return db
}

// digest returns a digest of all rows of a table, on whatever node they are.
func digest(t *testing.T, db *pgtest.DB, table string) (sum string) {
	t.Helper()
	err := db.Pool.QueryRow(t.Context(),
		"select count(*) || md5(string_agg(row::text, ' ' order by row::text)) from "+table+" row").Scan(&sum)
	require.NoError(t, err)
	return sum
}

// breaker is a writer that aborts a run when a line begins with its word.
type breaker struct {
	bytes.Buffer

	word string
	stop context.CancelFunc
}

// Write implements io.Writer.
func (b *breaker) Write(line []byte) (int, error) {
	if bytes.HasPrefix(line, []byte(b.word)) {
		b.stop()
	}
	return b.Buffer.Write(line)
}

// Existing rows are on the nodes afterwards, each exactly once, and no longer on the coordinator's disk. A run that was aborted
// is resumed where it stopped.
func TestRun_movesRowsAndResumes(t *testing.T) {
	t.Parallel()
	db := filled(t)
	before := map[string]string{}
	for _, table := range []string{"numbers", "orders", "lines"} {
		before[table] = digest(t, db, table)
	}
	config := distributed.Config{Config: db.Config, Shards: 4}
	ctx, stop := context.WithCancel(t.Context())
	broken := &breaker{word: "lines:", stop: stop}
	require.ErrorIs(t, distributed.Run(ctx, config, db.Schema, broken), context.Canceled)
	require.Contains(t, broken.String(), "tables to distribute: 3, ")

	var said bytes.Buffer
	require.NoError(t, distributed.Run(t.Context(), config, db.Schema, &said))
	require.Contains(t, said.String(), "orders: distributed already\n")
	require.Contains(t, said.String(), "tables to distribute: 1, ")
	for table, sum := range before {
		require.Equal(t, sum, digest(t, db, table), table)
		var bytes int64
		require.NoError(t, db.Pool.QueryRow(t.Context(), "select pg_relation_size($1::regclass)", table).Scan(&bytes))
		require.Zero(t, bytes, "what the coordinator keeps of %s", table)
	}
	var nodes int
	require.NoError(t, db.Pool.QueryRow(t.Context(),
		"select count(distinct nodeport) from citus_shards where table_name = 'lines'::regclass").Scan(&nodes))
	require.Equal(t, 2, nodes)
	require.NoError(t, distributed.Run(t.Context(), config, db.Schema, &bytes.Buffer{}), "there is nothing left to do")
}

// later is a migration of a later version: a column for a distributed table, and a table that references it.
const later = `-- +goose Up
alter table orders add column note text;
create table notes (seller_id uuid, no text, seq int, primary key (seller_id, no, seq), foreign key (seller_id, no) references
orders);
alter table notes enable row level security;
create policy notes_of_seller on notes using (seller_id = nullif(current_setting('app.seller', true), '')::uuid);`

// A later version migrates a distributed schema as any other, and another run distributes its new tables.
func TestRun_laterMigration(t *testing.T) {
	t.Parallel()
	db := filled(t)
	config := distributed.Config{Config: db.Config, Shards: 4}
	require.NoError(t, distributed.Run(t.Context(), config, db.Schema, &bytes.Buffer{}))
	files := schema("")
	files["00002_notes.sql"] = &fstest.MapFile{Data: []byte(later)}
	require.NoError(t, postgres.Migrate(t.Context(), db.Config, db.Schema, files))
	note := func() {
		_, err := db.Pool.Exec(t.Context(), `with noted as (update orders set note = 'x' where no = '1' returning seller_id, no)
			insert into notes (seller_id, no, seq) select seller_id, no, (select count(*) from notes) from noted`)
		require.NoError(t, err)
	}
	note()
	var said bytes.Buffer
	require.NoError(t, distributed.Run(t.Context(), config, db.Schema, &said))
	require.Contains(t, said.String(), "tables to distribute: 1, ")
	note()
	var beside bool
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select count(distinct colocationid) = 1 from pg_dist_partition
		where logicalrelid in ('orders'::regclass, 'notes'::regclass)`).Scan(&beside))
	require.True(t, beside)
}
