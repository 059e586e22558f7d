package web_test

import (
	"context"
	"encoding/json"
	"net/url"
	"testing"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/web"
)

func numbers() web.ListOperation[string, int64] {
	return web.ListOperation[string, int64]{
		Name: "numbers", Filters: []string{"kind", "size"},
		Read: func(q *web.Query) (string, error) {
			kind, size := q.Enum("kind", []string{"all", "even", "late"}), q.String("size", 5)
			if (kind == "") != (size == "") {
				return "", apierr.StatusChangedFilterIncomplete
			}
			return kind, nil
		},
		Page: func(_ context.Context, _ uuid.UUID, kind string, after *paging.Position, limit int) (paging.Page[int64], error) {
			rows := []int64{}
			for n := int64(7); n > 0; n-- {
				if (kind != "even" || n%2 == 0) && (after == nil || n < int64(after.ID[15])) {
					rows = append(rows, n)
				}
			}
			page := paging.Cut(rows, limit, func(n *int64) paging.Position {
				return paging.Position{UpdatedAt: time.Unix(*n, 0), ID: uuid.UUID{15: byte(*n)}}
			})
			if kind == "late" && after == nil {
				page = paging.Page[int64]{Next: &paging.Position{ID: uuid.UUID{15: 3}}}
			}
			return page, nil
		},
		Forward: func(_ context.Context, _ uuid.UUID, after paging.Position, limit int) (paging.ForwardPage[int64], error) {
			rows := []int64{}
			for n := int64(1); n <= 7; n++ {
				if time.Unix(n, 0).After(after.UpdatedAt) || time.Unix(n, 0).Equal(after.UpdatedAt) && byte(n) > after.ID[15] {
					rows = append(rows, n)
				}
			}
			return paging.CutForward(rows, limit, after, time.Unix(7, 0), func(n *int64) paging.Position {
				return paging.Position{UpdatedAt: time.Unix(*n, 0), ID: uuid.UUID{15: byte(*n)}}
			}), nil
		},
		View: func(rows []int64, _ apierr.Lang) any { return rows },
	}
}

func serveNumbers(t *testing.T) func(query string) answer {
	t.Helper()
	cursors, err := paging.NewSigner(make([]byte, 32))
	require.NoError(t, err)
	op := row("GET", "/numbers")
	handler := web.HandleList(cursors, numbers())
	s := serve(t, func(e *gin.Engine) {
		require.NoError(t, web.RegisterOperations(e, newVerifier(t), []operation.Operation{op}, web.Handlers{op.Name: handler}))
	})
	return func(query string) answer {
		target := "/numbers?" + query
		return s.get(target, principal.Header, signed(t, "GET", target, ""))
	}
}

// A walk returns every element once, reports each page's rows to the gateway, and keeps the filters of its first page. It goes on
// from an empty page that is not the last.
func TestHandleList_walk(t *testing.T) {
	t.Parallel()
	get := serveNumbers(t)
	first := get("limit=2&kind=even&size=x")
	require.Equal(t, "2", first.Header.Get(principal.RowsHeader))
	page := struct {
		List       []int64 `json:"list"`
		NextCursor *string `json:"next_cursor"`
	}{}
	require.NoError(t, json.Unmarshal(first.Data, &page))
	require.Equal(t, []int64{6, 4}, page.List)
	require.NotNil(t, page.NextCursor)

	last := get("limit=2&cursor=" + url.QueryEscape(*page.NextCursor))
	require.JSONEq(t, `{"list":[2],"next_cursor":null}`, string(last.Data))
	require.Equal(t, "1", last.Header.Get(principal.RowsHeader))

	empty := get("kind=late&size=x")
	require.NoError(t, json.Unmarshal(empty.Data, &page))
	require.Empty(t, page.List)
	require.Equal(t, "0", empty.Header.Get(principal.RowsHeader))
	last = get("cursor=" + url.QueryEscape(*page.NextCursor))
	require.JSONEq(t, `{"list":[2,1],"next_cursor":null}`, string(last.Data))
	requireFailure(t, get("kind=all&size=x&cursor="+url.QueryEscape(*page.NextCursor)), 422, "INVALID_CURSOR")
}

// Problems of single parameters are reported before those of combinations, and neither reads a row.
func TestHandleList_refusals(t *testing.T) {
	t.Parallel()
	get := serveNumbers(t)
	for query, code := range map[string]string{
		"kind=odd":         "VALIDATION_ERROR",
		"kind=even":        "STATUS_CHANGED_FILTER_INCOMPLETE",
		"kind=odd&limit=0": "VALIDATION_ERROR",
		"unknown=1":        "VALIDATION_ERROR",
		"cursor=x":         "INVALID_CURSOR",
	} {
		t.Run(query, func(t *testing.T) {
			t.Parallel()
			refused := get(query)
			requireFailure(t, refused, 422, code)
			require.Equal(t, "0", refused.Header.Get(principal.RowsHeader))
		})
	}
	require.JSONEq(t, `{"list":[7,6,5,4,3,2,1],"next_cursor":null}`, string(get("").Data))
}
