package e2e

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// A page has 50 elements unless the limit says otherwise.
func TestLimit_fiftyUnlessSaid(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	s.PlaceMany(t, 101, seller.ID)
	page := func(query ...string) stacktest.Page[stacktest.Order] {
		return stacktest.RequireOK[stacktest.Page[stacktest.Order]](t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", query...)))
	}
	require.Len(t, page().List, 50)
	require.Len(t, page("limit", "1").List, 1)
	require.Len(t, page("limit", "100").List, 100)
	require.NotNil(t, page("limit", "100").NextCursor)
}

func TestOrderList_exactLastPage(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	s.PlaceMany(t, 10, seller.ID)
	client := s.Client(seller.ID)
	require.Nil(t, client.List(t, "10").NextCursor)
	first := client.List(t, "5")
	require.NotNil(t, first.NextCursor)
	second := client.List(t, "5", "cursor", *first.NextCursor)
	require.Len(t, second.List, 5)
	require.Nil(t, second.NextCursor)
}

// A limit that is not a number from 1 to 100 is refused.
func TestLimit_refusals(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	for _, limit := range []string{"0", "101", "-1", "", " ", "1.0", "1e1", "0x10", "+5", "five", "９", "99999999999999999999", "5 ", "null"} {
		stacktest.RequireInvalid(t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", "limit", limit)), "query.limit")
	}
}

// Orders that were placed together share one updated_at; a cursor with the time alone would lose or repeat some
// of them.
func TestOrderList_walkWithEqualTimes(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	want := numbersOf(s.PlaceMany(t, 77, seller.ID))
	want = append(want, numbersOf(s.PlaceMany(t, 23, seller.ID))...)
	client := s.Client(seller.ID)
	for _, limit := range []string{"1", "3", "7", "50", "99", "100"} {
		all := client.Walk(t, limit)
		require.ElementsMatch(t, want, orderNos(all), "limit %s", limit)
		requireNewestFirst(t, all)
	}
}

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

// The specification asks clients to keep the filters; those that leave them out still get the same walk.
func TestCursor_filtersRepeatedOrLeftOut(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	want := numbersOf(s.PlaceMany(t, 6, seller.ID, stacktest.InState("shipping")))
	s.PlaceMany(t, 6, seller.ID)
	client := s.Client(seller.ID)
	filter := []string{"item_status", "shipping", "paid_at_gte", "2020-01-01T00:00:00Z"}
	for name, repeated := range map[string][]string{
		"repeated": filter, "in another order": {"paid_at_gte", "2020-01-01T00:00:00Z", "item_status", "shipping"},
		"in another spelling":   {"item_status", "shipping", "paid_at_gte", "2020-01-01T09:00:00+09:00"},
		"some filters repeated": {"item_status", "shipping"}, "no filter repeated": nil,
	} {
		got := orderNos(client.List(t, "2", filter...).List)
		cursor := client.List(t, "2", filter...).NextCursor
		for cursor != nil {
			page := client.List(t, "2", append([]string{"cursor", *cursor}, repeated...)...)
			got, cursor = append(got, orderNos(page.List)...), page.NextCursor
		}
		require.ElementsMatch(t, want, got, name)
	}
}

// Filters other than those of the cursor are refused.
func TestCursor_otherFiltersRefused(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	s.PlaceMany(t, 4, seller.ID)
	cursor := s.Client(seller.ID).List(t, "2", "item_status", "paid").NextCursor
	require.NotNil(t, cursor)
	for _, query := range [][]string{
		{"item_status", "shipping"}, {"order_status", "paid"}, {"item_status", "paid", "order_status", "paid"},
		{"item_status", "paid", "updated_at_gte", "2020-01-01T00:00:00Z"}, {"order_no", "X"},
	} {
		answer := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", append([]string{"cursor", *cursor}, query...)...))
		requireInvalidCursor(t, answer, "filters_changed")
	}
}

// A cursor is a position in one seller's data; a forged one could read data that the caller may not see.
func TestCursor_notIssuedIsRefused(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller, other := s.Seller(t), s.Seller(t)
	s.PlaceMany(t, 3, seller.ID)
	s.PlaceMany(t, 3, other.ID)
	cursor := *s.Client(seller.ID).List(t, "1").NextCursor
	foreign := *s.Client(other.ID).List(t, "1").NextCursor
	middle := len(cursor) / 2
	for _, forged := range []string{
		"", " ", "x", "0", "null", foreign, cursor + "A", cursor[:len(cursor)-1], cursor[1:], cursor + "=", " " + cursor, cursor + "\x00",
		strings.ToUpper(cursor), strings.ToLower(cursor), cursor + cursor, flipped(cursor, 0), flipped(cursor, middle), flipped(cursor, len(cursor)-2),
		base64.RawURLEncoding.EncodeToString([]byte(`{"updated_at":"2026-01-01T00:00:00Z","id":1}`)), strings.Repeat("A", 4000), "\xff\xfe",
	} {
		answer := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", "cursor", forged))
		requireInvalidCursor(t, answer, "malformed")
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

// flipped returns the cursor with another letter at the position.
func flipped(cursor string, at int) string {
	letter := byte('A')
	if cursor[at] == letter {
		letter = 'B'
	}
	return cursor[:at] + string(letter) + cursor[at+1:]
}
