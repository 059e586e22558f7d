package postgres_test

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
)

func files(text string) fstest.MapFS {
	return fstest.MapFS{"queries/orders.sql": {Data: []byte(text)}}
}

func TestQueries_sentWithNameWithoutComments(t *testing.T) {
	t.Parallel()
	queries, err := postgres.LoadQueries(fstest.MapFS{
		"queries/orders.sql": {Data: []byte(`-- What this file is about.

-- name: ListOrders
-- Served by the list index.
select *
from seller_orders -- of one seller
where seller_id = $1;

-- name: LockOrder
select 1
`)},
		"queries/lines.sql": {Data: []byte("-- name: ListLines\r\nselect 2\r\n")},
		"README.md":         {Data: []byte("not SQL")},
	})
	require.NoError(t, err)
	require.Equal(t, []string{"ListLines", "ListOrders", "LockOrder"}, queries.Names())
	require.Equal(t, "-- name: ListOrders\nselect *\nfrom seller_orders -- of one seller\nwhere seller_id = $1",
		queries.SQL("ListOrders"))
	require.Equal(t, "-- name: LockOrder\nselect 1", queries.SQL("LockOrder"))
	require.Equal(t, "-- name: ListLines\nselect 2", queries.SQL("ListLines"))
	require.Equal(t, "ListOrders", postgres.QueryName(queries.SQL("ListOrders")))
}

// Errors in query files are reported with the name of the file.
func TestLoadQueries_mistakes(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"select 1": "text before the first name",
		"-- name: A\nselect 1\n-- name: A\nselect 2": "the name A is used twice",
		"-- name: A\n-- only words\n":                "A has no statement",
		"-- name: A\n;":                              "A has no statement",
		"-- name: a b\nselect 1":                     `"a b" is not a name`,
		"-- name: \nselect 1":                        `"" is not a name`,
	} {
		_, err := postgres.LoadQueries(files(text))
		require.ErrorContains(t, err, want)
		require.ErrorContains(t, err, "queries/orders.sql")
		require.Panics(t, func() { postgres.MustLoadQueries(files(text)) })
	}
}

// A name that two files use is refused.
func TestLoadQueries_nameUniqueAcrossFiles(t *testing.T) {
	t.Parallel()
	both := files("-- name: A\nselect 1")
	both["queries/second.sql"] = both["queries/orders.sql"]
	_, err := postgres.LoadQueries(both)
	require.ErrorContains(t, err, "the name A is used twice")
}

// Using a query that does not exist is a programming error and panics.
func TestQueries_unknownNamePanics(t *testing.T) {
	t.Parallel()
	require.PanicsWithValue(t, "no query is named Nothing", func() {
		postgres.MustLoadQueries(files("-- name: A\nselect 1")).SQL("Nothing")
	})
}

// All statements without a name are counted as unnamed.
func TestQueryName_unnamedShareOne(t *testing.T) {
	t.Parallel()
	for _, sql := range []string{"", "select 1", "beginning", "-- name:", "-- name: \nselect 1", "-- named by hand"} {
		require.Equal(t, "unnamed", postgres.QueryName(sql))
	}
}

func TestQueryName_transactions(t *testing.T) {
	t.Parallel()
	for sql, name := range map[string]string{
		"begin": "begin", "begin isolation level read committed": "begin", "commit": "commit", "rollback": "rollback",
		"savepoint sp_1": "savepoint",
	} {
		require.Equal(t, name, postgres.QueryName(sql), sql)
	}
}

// A list that the program defines is written once: statements have a mark in its
// place.
func TestQueries_marksAreFilled(t *testing.T) {
	t.Parallel()
	q := postgres.MustLoadQueries(files("-- name: A\nselect /* columns */ from t"))
	require.Equal(t, "-- name: A\nselect a, b from t", q.With(map[string]string{"columns": "a, b"}).SQL("A"))
	require.Equal(t, "-- name: A\nselect /* columns */ from t", q.SQL("A"), "the original stays")
	require.PanicsWithValue(t, "no query has the mark /* other */", func() { q.With(map[string]string{"other": ""}) })
}

// A statement that is composed of others has its own name, once.
func TestQueries_composed(t *testing.T) {
	t.Parallel()
	q := postgres.MustLoadQueries(files("-- name: A\nselect 1 from /* rows */;\n-- name: Rows\n(select 2) r;"))
	require.Equal(t, "-- name: B\nselect 1 from (select 2) r",
		postgres.Named("B", postgres.Fill(q.Text("A"), "rows", q.Text("Rows"))))
	require.PanicsWithValue(t, "A has no /* other */", func() { postgres.Fill(q.SQL("A"), "other", "") })
}
