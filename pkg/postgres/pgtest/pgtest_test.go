package pgtest_test

import (
	"context"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

func TestNew_schemaPerTestIsDropped(t *testing.T) {
	t.Parallel()
	migrations := fstest.MapFS{"00001_notes.sql": {Data: []byte("-- +goose Up\ncreate table notes (id int primary key);")}}
	outer := pgtest.New(t, migrations)
	var inner string
	t.Run("inner", func(t *testing.T) {
		t.Parallel()
		db := pgtest.New(t, migrations)
		for _, db := range []*pgtest.DB{outer, db} {
			_, err := db.Pool.Exec(t.Context(), "insert into notes values (1)")
			require.NoError(t, err)
		}
		inner = db.Pool.Config().ConnConfig.Database
		require.NotEqual(t, outer.Pool.Config().ConnConfig.Database, inner)
	})
	t.Cleanup(func() { // after the inner test
		var left bool
		row := outer.Pool.QueryRow(context.WithoutCancel(t.Context()),
			"select exists (select from pg_database where datname = $1)", inner)
		require.NoError(t, row.Scan(&left))
		require.False(t, left)
	})
}

// Migrations that differ in one word do not share a template.
func TestNew_otherMigrations(t *testing.T) {
	t.Parallel()
	for _, column := range []string{"a", "b"} {
		text := "-- +goose Up\ncreate table notes (" + column + " int primary key);"
		db := pgtest.New(t, fstest.MapFS{"00001_notes.sql": {Data: []byte(text)}})
		_, err := db.Pool.Exec(t.Context(), "insert into notes ("+column+") values (1)")
		require.NoError(t, err)
	}
}

func TestSellerFence_findsUnfencedQuery(t *testing.T) {
	t.Parallel()
	const fenced = "-- name: Fenced\nselect 1 from orders where seller_id = $1\n"
	const open = "-- name: Open\nselect 1 from orders -- where seller_id = $1\n/* seller_id */\n"
	const lookalike = "-- name: Open\nselect 1 from orders where best_seller_id = $1\n"
	for name, c := range map[string]struct {
		text   string
		exempt map[string]string
		fails  bool
	}{
		"fenced":                  {fenced, nil, false},
		"open":                    {fenced + open, nil, true},
		"another column":          {fenced + lookalike, nil, true},
		"open and exempt":         {fenced + open, map[string]string{"Open": "the clean-up job works for all"}, false},
		"exempt without a reason": {fenced + open, map[string]string{"Open": ""}, true},
		"exempt without need":     {fenced, map[string]string{"Fenced": "no reason"}, true},
		"exempt, but unknown":     {fenced, map[string]string{"Gone": "it was renamed"}, true},
		"nothing to check":        {"", nil, true},
	} {
		queries, err := postgres.LoadQueries(fstest.MapFS{"q.sql": {Data: []byte(c.text)}})
		require.NoError(t, err)
		require.Equal(t, c.fails, pgtest.Fails(t, func(t testing.TB) { //nolint:thelper // a test under test
			pgtest.RequireTenantQueries(t, queries, c.exempt)
		}), name)
	}
}
