package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// One walk never returns a record twice and never misses one that was not changed during it.
func TestPaging_completeWithWritersRunning(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	still := numbersOf(s.PlaceMany(t, 120, seller.ID))
	writing := startWriters(t, s, seller.ID, 3, 40)
	client := s.Client(seller.ID)
	for _, limit := range []string{"7", "50", "3"} {
		all := client.Walk(t, limit)
		got := orderNos(all)
		require.Subset(t, got, still)
		requireNoRepetition(t, got)
		requireNewestFirst(t, all)
	}
	written := writing.wait(t)
	require.ElementsMatch(t, append(still, written...), orderNos(client.Walk(t, "100")))
}

// The limit may change between the pages of one walk.
func TestLimit_changedBetweenPages(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	want := numbersOf(s.PlaceMany(t, 30, seller.ID))
	client := s.Client(seller.ID)
	first := client.List(t, "4")
	second := client.List(t, "9", "cursor", *first.NextCursor)
	third := client.List(t, "100", "cursor", *second.NextCursor)
	require.Nil(t, third.NextCursor)
	require.ElementsMatch(t, want, append(append(orderNos(first.List), orderNos(second.List)...), orderNos(third.List)...))
}

// Filters other than those of the cursor are refused, and so is the cursor of another list.
func TestCursor_otherFiltersRefused(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	s.PlaceMany(t, 4, seller.ID)
	cursor := s.Client(seller.ID).List(t, "2", "item_status", "paid").NextCursor
	require.NotNil(t, cursor)
	for _, query := range [][]string{
		{"item_status", "shipping"},
		{"order_status", "paid"},
		{"item_status", "paid", "order_status", "paid"},
		{"item_status", "paid", "updated_at_gte", "2020-01-01T00:00:00Z"},
		{"order_no", "X"},
	} {
		answer := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", append([]string{"cursor", *cursor}, query...)...))
		requireInvalidCursor(t, answer, "filters_changed")
	}
	for _, list := range []string{"/open/v1/claims", "/open/v1/qna"} {
		requireInvalidCursor(t, s.Do(t, stacktest.Get(seller.Key, list, "cursor", *cursor)), "malformed")
	}
}

// A mistake in a filter is reported before one in the cursor, which cannot be checked without the filters.
func TestOrderList_filterCheckedBeforeCursor(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	answer := s.Do(t, stacktest.Get(s.Seller(t).Key, "/open/v1/orders", "cursor", "x", "item_status", "lost"))
	stacktest.RequireInvalid(t, answer, "query.item_status")
}

func requireInvalidCursor(t *testing.T, answer stacktest.Answer, reason string) {
	t.Helper()
	stacktest.RequireFailure(t, answer, http.StatusUnprocessableEntity, "INVALID_CURSOR")
	require.Equal(t, reason, answer.Meta.ErrorData["reason"])
}
