package e2e

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// A new claim has the fields of the specification, with the values that follow from its request.
func TestClaimDetail_newClaim(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	order := d.PlaceNew(t, d.seller.ID, lines(2), stacktest.Claimable(stacktest.Return))
	placed := order.GetSellers()[0].GetLines()
	got := d.claimOn(t, order, stacktest.Return, stacktest.Because("change_of_mind"))
	require.Equal(t, stacktest.Claim{
		ClaimNo: got.ClaimNo, OrderNo: order.GetOrderNo(), Type: "return", Status: "requested",
		AvailableActions: availableActions(t, stacktest.Return, "requested"), Fault: "buyer", ReasonCode: "change_of_mind",
		ClaimShippingFee: new(int64(3000)), PriceDifference: new(int64(0)),
		RequestedAt: got.RequestedAt, UpdatedAt: got.UpdatedAt,
		Items: []stacktest.ClaimItem{
			{ItemCode: order.GetOrderNo() + "-01", ItemID: placed[0].GetItemId(), Quantity: 2, ProductName: "양말 0", OptionName: "블랙 / M"},
			{ItemCode: order.GetOrderNo() + "-02", ItemID: placed[1].GetItemId(), Quantity: 2, ProductName: "양말 1", OptionName: "블랙 / M"},
		},
	}, got)
	for _, at := range []string{got.RequestedAt, got.UpdatedAt} {
		require.Regexp(t, `^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$`, at)
	}
}

// A claim that does not exist, a malformed number and another seller's claim get the same response from every
// call.
func TestClaimDetail_notFound(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	own, theirs := d.newClaim(t, stacktest.Return), other.newClaim(t, stacktest.Return)
	before := other.claimText(t, theirs.ClaimNo)
	for _, operation := range operations {
		if !strings.HasPrefix(operation.path, "/open/v1/claims/") {
			continue
		}
		var want string
		for _, no := range []string{
			"C0", theirs.ClaimNo, strings.ToLower(own.ClaimNo), own.ClaimNo + "x", own.OrderNo, "%EC%B7%A8%EC%86%8C",
			strings.Repeat("A", 65), "a%2Fb", "%20",
		} {
			answer := d.client.Do(t, fixed(operation.call("", no, "")))
			stacktest.RequireFailure(t, answer, http.StatusNotFound, "CLAIM_NOT_FOUND")
			if want == "" {
				want = string(answer.Body)
			}
			require.Equal(t, want, string(answer.Body), "%s %s", operation.path, no)
		}
	}
	require.Equal(t, before, other.claimText(t, theirs.ClaimNo))
	stacktest.RequireInvalid(t, d.client.Do(t, stacktest.Get("", "/open/v1/claims/"+own.ClaimNo, "limit", "1")), "query.limit")
}
