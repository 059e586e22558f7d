package paging_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
)

// A client that stops at the last page misses nothing and is not sent to an empty page, even when the last page is full.
func TestCut(t *testing.T) {
	t.Parallel()
	rows := []int{1, 2, 3}
	position := func(row *int) paging.Position { return paging.Position{ID: uuid.UUID{15: byte(*row)}} }
	require.Equal(t, paging.Page[int]{Rows: rows[:2], Next: &paging.Position{ID: uuid.UUID{15: 2}}}, paging.Cut(rows, 2, position))
	require.Equal(t, paging.Page[int]{Rows: rows}, paging.Cut(rows, 3, position))
	require.Equal(t, paging.Page[int]{Rows: rows}, paging.Cut(rows, 4, position))
	require.Equal(t, paging.Page[int]{}, paging.Cut(nil, 4, position))
}

// A walk that ended early goes on after its last row, be that wanted or not; a page that is full goes on after its own last row.
func TestCutWalk(t *testing.T) {
	t.Parallel()
	position := func(row *int) paging.Position { return paging.Position{ID: uuid.UUID{15: byte(*row)}} }
	at := func(row byte) *paging.Position { return &paging.Position{ID: uuid.UUID{15: row}} }
	for name, c := range map[string]struct {
		rows         []int
		wanted, last bool
		want         paging.Page[int]
	}{
		"at the end of the list":   {[]int{1, 2}, true, false, paging.Page[int]{Rows: []int{1, 2}}},
		"nothing":                  {nil, true, false, paging.Page[int]{}},
		"ended early":              {[]int{1, 9}, false, true, paging.Page[int]{Rows: []int{1}, Next: at(9)}},
		"ended early with nothing": {[]int{9}, false, true, paging.Page[int]{Rows: []int{}, Next: at(9)}},
		"ended at a wanted row":    {[]int{1, 9}, true, true, paging.Page[int]{Rows: []int{1, 9}, Next: at(9)}},
		"full":                     {[]int{1, 2, 3}, true, false, paging.Page[int]{Rows: []int{1, 2}, Next: at(2)}},
		"full where it ended":      {[]int{1, 2, 9}, false, true, paging.Page[int]{Rows: []int{1, 2}, Next: at(9)}},
	} {
		require.Equal(t, c.want, paging.CutWalk(c.rows, 2, c.wanted, c.last, position), name)
	}
}
