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
