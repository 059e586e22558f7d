package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// claimEach places an order of n lines and requests a separate claim for each of them.
func (d *session) claimEach(t *testing.T, kind string, n int) []string {
	t.Helper()
	order := d.PlaceNew(t, d.seller.ID, lines(n), stacktest.Claimable(kind))
	numbers := make([]string, n)
	for i, line := range order.GetSellers()[0].GetLines() {
		request := stacktest.NewClaim(kind, order, stacktest.OnlyLines(line.GetItemId()))
		d.RequestClaim(t, request)
		numbers[i] = request.GetClaimNo()
	}
	return numbers
}

func (d *session) walkClaims(t *testing.T, limit string, cursor *string, query ...string) []stacktest.Claim {
	t.Helper()
	var all []stacktest.Claim
	for first := cursor == nil; first || cursor != nil; first = false {
		sent := query
		if cursor != nil {
			sent = append([]string{"cursor", *cursor}, query...)
		}
		page := d.client.Claims(t, limit, sent...)
		all, cursor = append(all, page.List...), page.NextCursor
	}
	return all
}

// Whatever the page size, and whether filters are repeated or left out: each claim appears once, the latest change
// first, and the cursor of the last page is null.
func TestClaimList_walkLosesAndRepeatsNothing(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	want := d.claimEach(t, stacktest.Return, 7)
	d.claimEach(t, stacktest.Cancel, 3)
	filter := []string{"type", "return", "status", "requested", "updated_at_gte", "2026-01-01T00:00:00Z"}
	for _, limit := range []string{"1", "3", "7", "100"} {
		first := d.client.Claims(t, limit, filter...)
		for name, repeated := range map[string][]string{"repeated": filter, "some filters repeated": filter[:2], "no filter repeated": nil} {
			all := first.List
			if first.NextCursor != nil {
				all = append(all[:len(all):len(all)], d.walkClaims(t, limit, first.NextCursor, repeated...)...)
			}
			require.ElementsMatch(t, want, claimNos(all), "limit %s, filters %s", limit, name)
			for i := 1; i < len(all); i++ {
				require.GreaterOrEqual(t, all[i-1].UpdatedAt, all[i].UpdatedAt)
			}
		}
	}
	first := d.client.Claims(t, "2")
	require.Len(t, d.walkClaims(t, "100", first.NextCursor), 8, "the limit may change between pages")
}

// Claims that change during a walk may move, but those that do not are neither lost nor repeated.
func TestClaimList_walkWhileOthersChange(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	numbers := d.claimEach(t, stacktest.Return, 6)
	first := d.client.Claims(t, "2")
	d.acted(t, numbers[0], "approve", nil)
	d.newClaim(t, stacktest.Cancel)
	all := append(claimNos(first.List), claimNos(d.walkClaims(t, "2", first.NextCursor))...)
	require.Equal(t, []string{numbers[5], numbers[4], numbers[3], numbers[2], numbers[1]}, all)
}

// A cursor of claims is valid for its own list and filters only, and the list of claims refuses any other cursor.
func TestClaimList_cursorForItsListOnly(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	d.claimEach(t, stacktest.Cancel, 3)
	other.claimEach(t, stacktest.Cancel, 2)
	d.place(t)
	cursor := *d.client.Claims(t, "1", "type", "cancel").NextCursor
	refused := func(path, reason string, query ...string) {
		t.Helper()
		requireInvalidCursor(t, d.client.Do(t, stacktest.Get("", path, query...)), reason)
	}
	for _, forged := range []string{
		"", "x", cursor + "A", cursor[1:], flipped(cursor, len(cursor)/2),
		*other.client.Claims(t, "1").NextCursor, *d.client.List(t, "1").NextCursor,
	} {
		refused("/open/v1/claims", "malformed", "cursor", forged)
	}
	refused("/open/v1/orders", "malformed", "cursor", cursor)
	for _, changed := range [][]string{{"type", "return"}, {"type", "cancel", "status", "requested"}, {"requested_at_gte", "2020-01-01T00:00:00Z"}} {
		refused("/open/v1/claims", "filters_changed", append([]string{"cursor", cursor}, changed...)...)
	}
	answer := d.client.Do(t, stacktest.Get("", "/open/v1/claims", "cursor", "x", "status", "lost"))
	stacktest.RequireInvalid(t, answer, "query.status")
	require.Len(t, d.client.Claims(t, "100", "cursor", cursor, "type", "cancel").List, 2)
}

// Reads of claims spend the row budget as reads of orders do: one row for each element of a list, and one for a detail.
func TestRowLimit_countsClaims(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	numbers := d.claimEach(t, stacktest.Cancel, 3)
	d.Undisturbed(t, func(do func(stacktest.Call) stacktest.Answer) {
		own, id := d.IssueKey(t, d.seller.ID)
		defer d.RevokeKey(t, d.seller.ID, id)
		// Only the last read of a key may return fewer rows than it reserved: the difference is given back after the response.
		for _, row := range []struct {
			call stacktest.Call
			left string
		}{
			{stacktest.Get(own, "/open/v1/claims", "limit", "2"), "2998"}, {stacktest.Get(own, "/open/v1/claims/"+numbers[0]), "2997"},
			{stacktest.Get(own, "/open/v1/claims"), "2994"},
			{stacktest.Get(d.Seller(t).Key, "/open/v1/claims"), "3000"}, {stacktest.Get(d.Seller(t).Key, "/open/v1/claims/C0"), "3000"},
		} {
			require.Equal(t, row.left, do(row.call).Header.Get("X-Ratelimit-Rows-Remaining"), row.call.Path)
		}
	})
}
