package e2e

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

var (
	claimTypes    = []string{"cancel", "return", "exchange"}
	claimStatuses = []string{
		"payment_pending", "requested", "approved", "collecting", "collected", "inspecting", "reshipping", "refund_processing",
		"completed", "rejected", "withdrawn", "expired", "converted_to_return",
	}
)

func claimNos(claims []stacktest.Claim) []string {
	numbers := make([]string, len(claims))
	for i, claim := range claims {
		numbers[i] = claim.ClaimNo
	}
	return numbers
}

func (d *session) listed(t *testing.T, query ...string) []string {
	t.Helper()
	page := d.client.Claims(t, "100", query...)
	require.Nil(t, page.NextCursor)
	return claimNos(page.List)
}

// someClaims makes claims of all types in some states, and returns them with the last changed first.
func (d *session) someClaims(t *testing.T) []stacktest.Claim {
	t.Helper()
	rejected := d.newClaim(t, stacktest.Cancel)
	return []stacktest.Claim{
		d.acted(t, rejected.ClaimNo, "reject", rejection()), d.claimIn(t, stacktest.Return, "approved"),
		d.newClaim(t, stacktest.Exchange),
		d.newClaim(t, stacktest.Return), d.newClaim(t, stacktest.Cancel),
	}
}

// Filters by type and state: exactly the claims that match both, and none of another seller.
func TestClaimList_byTypeAndStatus(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	openSession(t).newClaim(t, stacktest.Return)
	claims := d.someClaims(t)
	slices.Reverse(claims)
	require.Equal(t, claimNos(claims), d.listed(t), "the latest change first")
	for _, kind := range append([]string{""}, claimTypes...) {
		for _, status := range append([]string{""}, claimStatuses...) {
			want := []string{}
			for _, claim := range claims {
				if (kind == "" || claim.Type == kind) && (status == "" || claim.Status == status) {
					want = append(want, claim.ClaimNo)
				}
			}
			var query []string
			if kind != "" {
				query = append(query, "type", kind)
			}
			if status != "" {
				query = append(query, "status", status)
			}
			require.Equal(t, want, d.listed(t, query...), "%s %s", kind, status)
		}
	}
}

func TestClaimList_unknownFilterValue(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for param, allowed := range map[string][]string{"type": claimTypes, "status": claimStatuses} {
		for _, value := range []string{"", " ", "CANCEL", "return ", "refund", "pending", "cancel,return", "반품"} {
			answer := d.client.Do(t, stacktest.Get("", "/open/v1/claims", param, value))
			require.ElementsMatch(t, allowed, stacktest.RequireInvalid(t, answer, "query."+param)[0]["allowed"], "%s=%q", param, value)
		}
	}
}

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
		for name, repeated := range map[string][]string{
			"repeated": filter, "some filters repeated": filter[:2],
			"no filter repeated": nil,
		} {
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
