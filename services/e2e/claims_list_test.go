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
		d.acted(t, rejected.ClaimNo, "reject", rejection()), d.claimIn(t, stacktest.Return, "approved"), d.newClaim(t, stacktest.Exchange),
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
