package changes

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/paging"
)

func signer(t *testing.T) *paging.Signer {
	t.Helper()
	cursors, err := paging.NewSigner(bytes.Repeat([]byte{7}, 32))
	require.NoError(t, err)
	return cursors
}

// numbers is the list of the numbers 1 to 9, each changed at that second.
func numbers(t *testing.T, view func(*int) ([]byte, error)) *List[int] {
	t.Helper()
	position := func(n *int) paging.Position { return paging.Since(time.Unix(int64(*n), 0)) }
	return &List[int]{
		Name: "numbers", Cursors: signer(t), Position: position, View: view,
		Forward: func(_ context.Context, _ uuid.UUID, after paging.Position, limit int) (paging.ForwardPage[int], error) {
			var rows []int
			for n := int(after.UpdatedAt.Unix()) + 1; n <= 9 && len(rows) <= limit; n++ {
				rows = append(rows, n)
			}
			return paging.CutForward(rows, limit, after, time.Unix(9, 0), position), nil
		},
	}
}

type request struct {
	seller, after string
	limit         int32
}

func (r request) GetSellerId() string { return r.seller } //nolint:revive // as generated
func (r request) GetAfter() string    { return r.after }
func (r request) GetSince() string    { return r.after }
func (r request) GetLimit() int32     { return r.limit }

func read(t *testing.T, list *List[int], of request) Page[int] {
	t.Helper()
	page, err := list.Read(t.Context(), of)
	require.NoError(t, err)
	require.Len(t, page.Records, len(page.Rows))
	return page
}

// A walk returns every row once, whatever the limit; the position after it leads to what changes later.
func TestList_walk(t *testing.T) {
	t.Parallel()
	list := numbers(t, func(n *int) ([]byte, error) { return []byte(`{"n":` + string(rune('0'+*n)) + `,"none":null}`), nil })
	for _, limit := range []int32{0, 1, 4, 9, 100} {
		of, rows := request{seller: uuid.NewString(), limit: limit}, []int{}
		for more := true; more; {
			page := read(t, list, of)
			for n, record := range page.Records {
				require.Equal(t, map[string]any{"n": float64(page.Rows[n]), "none": nil}, record.AsMap())
			}
			rows, of.after, more = append(rows, page.Rows...), page.After, page.More
		}
		require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}, rows)
		require.Equal(t, Page[int]{Seller: uuid.MustParse(of.seller), After: of.after}, read(t, list, of))
	}
	require.Len(t, read(t, list, request{seller: uuid.NewString(), after: "1970-01-01T00:00:07Z"}).Rows, 2)
}

// Records that would not fit into a message come with the next page.
func TestList_largeRecords(t *testing.T) {
	t.Parallel()
	list := numbers(t, func(*int) ([]byte, error) { return []byte(`{"text":"` + strings.Repeat("x", 3<<20) + `"}`), nil })
	of, rows := request{seller: uuid.NewString()}, []int{}
	for more := true; more; {
		page := read(t, list, of)
		require.LessOrEqual(t, len(page.Rows), 3)
		rows, of.after, more = append(rows, page.Rows...), page.After, page.More
	}
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 8, 9}, rows)
}

// A view that is no object is a defect of the service and is not sent.
func TestList_brokenView(t *testing.T) {
	t.Parallel()
	list := numbers(t, func(*int) ([]byte, error) { return []byte("[]"), nil })
	_, err := list.Read(t.Context(), request{seller: uuid.NewString()})
	require.ErrorContains(t, err, "carry a record of the list numbers")
}

// Every wrong field is named. A position belongs to one seller and one list.
func TestList_refused(t *testing.T) {
	t.Parallel()
	list := numbers(t, func(*int) ([]byte, error) { return []byte("{}"), nil })
	seller := uuid.NewString()
	position := read(t, list, request{seller: seller, limit: 1}).After
	for name, test := range map[string]struct {
		of   request
		want string
	}{
		"no seller":        {request{}, "seller_id"},
		"limit":            {request{seller: seller, limit: 101}, "limit"},
		"negative limit":   {request{seller: seller, limit: -1}, "limit"},
		"time":             {request{seller: seller, after: "2026-13-01"}, "after"},
		"another seller's": {request{seller: uuid.NewString(), after: position}, "INVALID_CURSOR"},
		"invented":         {request{seller: seller, after: "x"}, "INVALID_CURSOR"},
	} {
		_, err := list.Read(t.Context(), test.of)
		if test.want == string(apierr.InvalidCursor) {
			require.ErrorIs(t, err, apierr.InvalidCursor, name)
			continue
		}
		var refused *apierr.Error
		require.ErrorAs(t, err, &refused, name)
		require.Equal(t, test.want, refused.Data["errors"].([]apierr.FieldError)[0].Field, name)
	}
}
