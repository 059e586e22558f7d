package rest_test

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// shop returns a fixture whose seller has 12 orders, 6 of them preparing; the orders of a batch share one updated_at.
func shop(t *testing.T) *fixture {
	t.Helper()
	s := setup(t)
	placements := make([]order.Placement, 12)
	for i := range placements {
		placements[i] = ordertest.New(fmt.Sprintf("A-%02d", i), ordertest.Epoch, s.seller)
		if i%2 == 1 {
			placements[i].Parts[0].Lines = lines(200+i, []order.State{order.Preparing})
		}
	}
	s.place(placements[:6]...)
	s.place(placements[6:]...)
	return s
}

func (s *fixture) cursor(query string) string {
	s.t.Helper()
	next := s.get(list + query).list(s.t).NextCursor
	require.NotNil(s.t, next, query)
	return url.QueryEscape(*next)
}

// walk follows cursors to the end. more is sent with every page after the first.
func (s *fixture) walk(first, more string) []string {
	s.t.Helper()
	var all []string
	for query := first; ; {
		a := s.get(list + query)
		all = append(all, a.numbers(s.t)...)
		next := a.list(s.t).NextCursor
		if next == nil {
			return all
		}
		query = more + "&cursor=" + url.QueryEscape(*next)
	}
}

// The specification asks clients to send the filters again. A client that omits them gets the same pages, and so does one that
// writes an instant differently.
func TestCursor_filtersRepeatedOrOmitted(t *testing.T) {
	t.Parallel()
	s := shop(t)
	wanted := []string{"A-11", "A-09", "A-07", "A-05", "A-03", "A-01"}
	const filter = "order_status=preparing&paid_at_gte=2024-12-31T15:00:00Z"
	for _, more := range []string{
		filter, "", "order_status=preparing", "paid_at_gte=2025-01-01T00:00:00%2B09:00", filter + "&limit=1", "limit=100",
	} {
		require.Equal(t, wanted, s.walk(filter+"&limit=2", more), more)
	}
	require.Equal(t, wanted, s.walk("status_changed_to=preparing&status_changed_at_gte=2025-01-01T00:00:00Z&limit=4",
		"status_changed_to=preparing"))
}

// A walk with pages of any size returns the whole list once.
func TestCursor_everyPageSizeWalksOnce(t *testing.T) {
	t.Parallel()
	s := shop(t)
	whole := s.get(list).numbers(t)
	require.Len(t, whole, 12)
	for _, limit := range []string{"1", "3", "7", "12", "50", "100"} {
		require.Equal(t, whole, s.walk("limit="+limit, "limit="+limit), limit)
	}
}

// A cursor with filters other than those for which it was issued is refused.
func TestCursor_otherFilters(t *testing.T) {
	t.Parallel()
	s := shop(t)
	filtered, plain := s.cursor("order_status=preparing&limit=2"), s.cursor("limit=2")
	for _, query := range []string{
		"order_status=paid&cursor=" + filtered, "item_status=paid&cursor=" + filtered,
		"order_status=preparing&order_no=A-01&cursor=" + filtered, "order_status=preparing&cursor=" + plain,
		"status_changed_to=paid&cursor=" + plain,
	} {
		a := s.get(list + query)
		require.Equal(t, "INVALID_CURSOR", a.code(), query)
		require.Equal(t, "filters_changed", a.Meta.ErrorData["reason"], query)
	}
}

func TestCursor_notIssued(t *testing.T) {
	t.Parallel()
	s := shop(t)
	cursor := s.cursor("limit=2")
	stranger := setup(t)
	for name, sent := range map[string]string{
		"empty": "", "not a cursor": "abc", "first character removed": cursor[1:], "longer": cursor + "A",
		"upper case": strings.ToUpper(cursor), "page number": "2",
	} {
		a := s.get(list + "cursor=" + sent)
		require.Equal(t, "INVALID_CURSOR", a.code(), name)
		require.Equal(t, "malformed", a.Meta.ErrorData["reason"], name)
		require.Equal(t, 422, a.status)
	}
	stranger.seller = uuid.New()
	a := stranger.get(list + "cursor=" + cursor)
	require.Equal(t, "INVALID_CURSOR", a.code(), "cursor of another seller")
	require.Equal(t, "malformed", a.Meta.ErrorData["reason"])
}
