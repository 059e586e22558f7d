package web_test

import (
	"encoding/json"
	"net/url"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/principal"
)

type forwardPage struct {
	List       []int64 `json:"list"`
	NextCursor *string `json:"next_cursor"`
	After      string  `json:"after"`
}

func readForward(t *testing.T, got answer) forwardPage {
	t.Helper()
	require.Equal(t, 200, got.Status)
	var page forwardPage
	require.NoError(t, json.Unmarshal(got.Data, &page))
	require.NotEmpty(t, page.After)
	return page
}

// A list is read forwards from its beginning, a time or a position. Every page has the next position, also an empty one, and
// next_cursor says whether more is there now.
func TestForward_walk(t *testing.T) {
	t.Parallel()
	get := serveNumbers(t)
	first := get("limit=4&after=beginning")
	require.Equal(t, "4", first.Header.Get(principal.RowsHeader))
	page := readForward(t, first)
	require.Equal(t, []int64{1, 2, 3, 4}, page.List)
	require.Equal(t, page.After, *page.NextCursor)

	page = readForward(t, get("after="+page.After))
	require.Equal(t, []int64{5, 6, 7}, page.List)
	require.Nil(t, page.NextCursor)

	empty := get("after=" + page.After)
	require.Equal(t, "0", empty.Header.Get(principal.RowsHeader))
	require.Equal(t, forwardPage{List: []int64{}, After: page.After}, readForward(t, empty))
	require.Equal(t, "7000000", empty.Header.Get(principal.ClockHeader), "for the gateway, which may hold the call")
	require.Empty(t, first.Header.Get(principal.ClockHeader))
	require.Equal(t, page.After, readForward(t, get("wait=25&after="+page.After)).After)

	require.Equal(t, []int64{6, 7}, readForward(t, get("after="+url.QueryEscape("1970-01-01T09:00:06+09:00"))).List)
}

// No filter and no cursor goes with a position; a position is no cursor, and nothing else is a position.
func TestForward_refusals(t *testing.T) {
	t.Parallel()
	get := serveNumbers(t)
	position := readForward(t, get("after=beginning")).After
	for query, code := range map[string]string{
		"after=beginning&kind=all&size=x": "VALIDATION_ERROR",
		"after=" + position + "&kind=odd": "VALIDATION_ERROR",
		"after=beginning&cursor=x":        "VALIDATION_ERROR",
		"after=beginning&limit=101":       "VALIDATION_ERROR",
		"after=beginning&after=beginning": "VALIDATION_ERROR",
		"after=2026-05-01":                "VALIDATION_ERROR",
		"after=x&limit=0":                 "VALIDATION_ERROR",
		"after=beginning&wait=0":          "VALIDATION_ERROR",
		"after=beginning&wait=26":         "VALIDATION_ERROR",
		"after=beginning&wait=1.5":        "VALIDATION_ERROR",
		"after=x&wait=1&wait=1":           "VALIDATION_ERROR",
		"wait=5":                          "VALIDATION_ERROR",
		"after=":                          "INVALID_CURSOR",
		"after=Beginning":                 "INVALID_CURSOR",
		"after=" + position[1:]:           "INVALID_CURSOR",
		"cursor=" + position:              "INVALID_CURSOR",
	} {
		refused := get(query)
		requireFailure(t, refused, 422, code)
		require.Equal(t, "0", refused.Header.Get(principal.RowsHeader), query)
	}
}
