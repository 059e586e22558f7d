package e2e

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

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

// An element of the list equals the claim in the detail response.
func TestClaimList_sameAsDetail(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	d.someClaims(t)
	page := stacktest.RequireOK[stacktest.Page[json.RawMessage]](t, d.client.Do(t, stacktest.Get("", "/open/v1/claims")))
	require.Len(t, page.List, 5)
	for _, element := range page.List {
		var claim stacktest.Claim
		require.NoError(t, json.Unmarshal(element, &claim))
		require.Equal(t, string(element), d.claimText(t, claim.ClaimNo))
	}
}

// The bounds of both ranges are inclusive, to the microsecond, and all filters combine.
func TestClaimList_rangesInclusive(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	first, second, third := d.newClaim(t, stacktest.Return), d.newClaim(t, stacktest.Return), d.newClaim(t, stacktest.Cancel)
	second = d.acted(t, second.ClaimNo, "approve", nil) // now the last by its change, the second by its request
	require.Equal(t, []string{second.ClaimNo, third.ClaimNo, first.ClaimNo}, d.listed(t))
	next, before := shifted(t, time.Microsecond), shifted(t, -time.Microsecond)
	for _, row := range []struct {
		query []string
		want  []string
	}{
		{[]string{"requested_at_gte", second.RequestedAt}, []string{second.ClaimNo, third.ClaimNo}},
		{[]string{"requested_at_gte", next(second.RequestedAt)}, []string{third.ClaimNo}},
		{[]string{"requested_at_lte", second.RequestedAt}, []string{second.ClaimNo, first.ClaimNo}},
		{[]string{"requested_at_lte", before(second.RequestedAt)}, []string{first.ClaimNo}},
		{[]string{"requested_at_gte", second.RequestedAt, "requested_at_lte", second.RequestedAt}, []string{second.ClaimNo}},
		{[]string{"updated_at_gte", third.UpdatedAt}, []string{second.ClaimNo, third.ClaimNo}},
		{[]string{"updated_at_gte", next(third.UpdatedAt)}, []string{second.ClaimNo}},
		{[]string{"updated_at_lte", third.UpdatedAt}, []string{third.ClaimNo, first.ClaimNo}},
		{[]string{"updated_at_lte", before(third.UpdatedAt)}, []string{first.ClaimNo}},
		{[]string{"updated_at_gte", second.UpdatedAt, "updated_at_lte", second.UpdatedAt}, []string{second.ClaimNo}},
		{[]string{"updated_at_gte", third.UpdatedAt, "requested_at_lte", second.RequestedAt}, []string{second.ClaimNo}},
		{[]string{"updated_at_gte", first.UpdatedAt, "type", "return", "status", "requested"}, []string{first.ClaimNo}},
		{[]string{"requested_at_gte", first.RequestedAt, "type", "return", "status", "approved"}, []string{second.ClaimNo}},
		{[]string{"requested_at_gte", next(third.RequestedAt)}, []string{}},
		{[]string{"requested_at_gte", inSeoul(t, second.RequestedAt), "requested_at_lte", inSeoul(t, second.RequestedAt)}, []string{second.ClaimNo}},
		{[]string{"updated_at_gte", strings.TrimSuffix(second.UpdatedAt, "Z")}, []string{second.ClaimNo}},
	} {
		require.Equal(t, row.want, d.listed(t, row.query...), "%v", row.query)
	}
}

func shifted(t *testing.T, by time.Duration) func(string) string {
	t.Helper()
	return func(text string) string {
		t.Helper()
		at, err := time.Parse(time.RFC3339Nano, text)
		require.NoError(t, err)
		return at.Add(by).Format("2006-01-02T15:04:05.000000Z")
	}
}

func inSeoul(t *testing.T, text string) string {
	t.Helper()
	at, err := time.Parse(time.RFC3339Nano, text)
	require.NoError(t, err)
	return at.In(time.FixedZone("KST", 9*60*60)).Format(time.RFC3339Nano)
}

// Polling for changes since the newest seen updated_at returns every change.
func TestClaimList_changedClaimFirst(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	last, newest := d.newClaim(t, stacktest.Return), d.newClaim(t, stacktest.Return)
	for _, step := range claimSteps[:3] {
		for range 2 {
			require.Equal(t, []string{newest.ClaimNo, last.ClaimNo}, d.listed(t))
			changed := d.acted(t, last.ClaimNo, step.action, step.body)
			require.Greater(t, changed.UpdatedAt, newest.UpdatedAt)
			require.Equal(t, []string{changed.ClaimNo, newest.ClaimNo}, d.listed(t, "updated_at_gte", newest.UpdatedAt))
			last, newest = newest, changed
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

func TestClaimList_invalidQuery(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	refused := func(fields []string, query ...string) []map[string]any {
		t.Helper()
		return stacktest.RequireInvalid(t, d.client.Do(t, stacktest.Get("", "/open/v1/claims", query...)), fields...)
	}
	for _, name := range []string{"requested_at", "updated_at"} {
		answer := d.client.Do(t, stacktest.Get("", "/open/v1/claims", name+"_gte", "2026-01-01T00:00:00.000001Z", name+"_lte", "2026-01-01T00:00:00Z"))
		stacktest.RequireFailure(t, answer, http.StatusUnprocessableEntity, "VALIDATION_ERROR")
		for _, bound := range []string{"_gte", "_lte"} {
			refused([]string{"query." + name + bound}, name+bound, "2026-01-01")
			refused([]string{"query." + name + bound}, name+bound, "2026-01-01T00:00:00Z", name+bound, "2026-01-01T00:00:00Z")
			plus := d.client.Do(t, stacktest.Call{Path: "/open/v1/claims?" + name + bound + "=2026-01-01T00:00:00+09:00"})
			require.Contains(t, stacktest.RequireInvalid(t, plus, "query."+name+bound)[0]["message"], "%2B")
		}
	}
	require.Contains(t, refused([]string{"query.request_at_gte"}, "request_at_gte", "x")[0]["message"], "did you mean requested_at_gte?")
	for _, unknown := range []string{"order_no", "claim_no", "status_changed_to", "paid_at_gte"} {
		refused([]string{"query." + unknown}, unknown, "x")
	}
	refused([]string{"query.limit", "query.type", "query.status", "query.updated_at_lte"}, "limit", "101", "type", "x", "status", "y", "updated_at_lte", "z")
}
