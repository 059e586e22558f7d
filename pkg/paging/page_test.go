package paging_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
)

// A client that stops at the last page misses nothing and is not sent to an empty page, even when the last page is full.
func TestCut(t *testing.T) {
	t.Parallel()
	rows := []int{1, 2, 3}
	require.Equal(t, paging.Page[int]{Rows: rows[:2], More: true}, paging.Cut(rows, 2))
	require.Equal(t, paging.Page[int]{Rows: rows}, paging.Cut(rows, 3))
	require.Equal(t, paging.Page[int]{Rows: rows}, paging.Cut(rows, 4))
	require.Equal(t, paging.Page[int]{}, paging.Cut[int](nil, 4))
}
