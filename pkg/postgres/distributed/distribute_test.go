package distributed_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/distributed"
	"sellerapi.dev/pkg/postgres/pgtest"
)

func schema(more string) fstest.MapFS {
	return fstest.MapFS{"00001_init.sql": {Data: []byte(`-- +goose Up
create table numbers (no text primary key, seller_id uuid);
create table lines (seller_id uuid, no text, seq int, primary key (seller_id, no, seq));
create table orders (seller_id uuid, no text, primary key (seller_id, no));
alter table lines add foreign key (seller_id, no) references orders;
alter table orders enable row level security;
create table chain (seq bigint primary key);
comment on table chain is 'on one node: it is one chain';
` + more)}}
}

func check(t *testing.T, more string) (string, error) {
	t.Helper()
	db := pgtest.New(t, schema(more))
	var out bytes.Buffer
	err := distributed.Run(t.Context(), distributed.Config{Config: db.Config, Check: true}, db.Schema, &out)
	return out.String(), err
}

// A table is distributed by the first column of its primary key, after the tables that it
// references.
func TestRun_checkExplains(t *testing.T) {
	t.Parallel()
	said, err := check(t, "")
	require.NoError(t, err)
	require.Equal(t, ""+
		"numbers              by no\n"+
		"orders               by seller_id, without its policies\n"+
		"lines                by seller_id\n", said)
}

// Everything that a distributed table cannot have is reported before anything is changed.
func TestRun_checkNamesProblems(t *testing.T) {
	t.Parallel()
	for problem, more := range map[string]string{
		"orders: unique index orders_no_key lacks seller_id": "alter table orders add unique (no);",
		"orders: unique index orders_by_no lacks seller_id":  "create unique index orders_by_no on orders (no) include (seller_id);",
		"notes: no primary key":                              "create table notes (seller_id uuid, note text);",
		"lines: reference lines_seq_fkey lacks seller_id; lines: reference lines_seq_fkey is to chain, which is on one node": "" +
			"alter table lines alter seq type bigint, add foreign key (seq) references chain;",
		"lines: reference lines_no_fkey lacks seller_id": "alter table lines add foreign key (no) references numbers;",
		"orders: trigger noted": "create function f() returns trigger language plpgsql as 'begin return new; end';\ncreate trigger " +
			"noted after insert on orders for each row execute function f();",
	} {
		_, err := check(t, more)
		var found *distributed.ProblemsError
		require.ErrorAs(t, err, &found, problem)
		require.Equal(t, strings.Split(problem, "; "), found.Problems)
	}
}

// A PostgreSQL server without the extension is left unchanged.
func TestRun_withoutExtension(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, schema(""))
	err := distributed.Run(t.Context(), distributed.Config{Config: db.Config, Shards: 4}, db.Schema, &bytes.Buffer{})
	require.ErrorIs(t, err, distributed.ErrNotInstalled)
	var secured bool
	require.NoError(t, db.Pool.QueryRow(t.Context(),
		"select relrowsecurity from pg_class where oid = 'orders'::regclass").Scan(&secured))
	require.True(t, secured)
}
