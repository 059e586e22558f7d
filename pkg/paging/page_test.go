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
