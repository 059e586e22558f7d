package postgres_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

const listThings = "-- name: ListThings\nselect array_agg(n order by n) from generate_series(1, $1::int) n where true /* " +
	"filters */"

// A filter that was not sent changes neither the statement nor its arguments.
func TestFilter_unsentLeavesNoTrace(t *testing.T) {
	t.Parallel()
	f := postgres.NewFilter(9)
	postgres.AddPresent[int](f, "and n > ", nil)
	require.Empty(t, f.SQL())
	require.Equal(t, []any{9}, f.Args())
	require.Equal(t, "-- name: ListThings\nselect array_agg(n order by n) from generate_series(1, $1::int) n where true ",
		f.Insert(listThings))
}

// The values of filters are numbered after the statement's own.
func TestFilter_numbersValuesAfterStatements(t *testing.T) {
	t.Parallel()
	low := 2
	f := postgres.NewFilter(9)
	postgres.AddPresent(f, "and n > ", &low)
	f.Add("and n is not null")
	f.Add("and (n between {} and {} or n = any({}))", 3, 5, []int{8})
	require.Equal(t, "and n > $2 and n is not null and (n between $3 and $4 or n = any($5))", f.SQL())
	require.Equal(t, []any{9, 2, 3, 5, []int{8}}, f.Args())
	db := pgtest.New(t, nil)
	require.Equal(t, []int{3, 4, 5, 8}, one[[]int](t, db.Pool, f.Insert(listThings), f.Args()...))
}

// Two filters made from the same arguments do not overwrite each other's.
func TestFilter_callersArgumentsUnchanged(t *testing.T) {
	t.Parallel()
	args := make([]any, 1, 4)
	first, second := postgres.NewFilter(args...), postgres.NewFilter(args...)
	first.Add("and n = ", 1)
	second.Add("and n = ", 2)
	require.Equal(t, []any{nil, 1}, first.Args())
	require.Equal(t, []any{nil, 2}, second.Args())
}

func TestMistakesInFiltersPanic(t *testing.T) {
	t.Parallel()
	f := postgres.NewFilter()
	require.Panics(t, func() { f.Add("and n between {} and {}", 1) })
	require.Panics(t, func() { f.Add("and n = ", 1, 2) })
	require.PanicsWithValue(t, "ListAll has no /* filters */", func() { f.Insert("-- name: ListAll\nselect 1") })
}
