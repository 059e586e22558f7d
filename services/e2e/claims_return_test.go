package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// A return goes through all its states, the refund is requested at the inspection and not before, and it ends with the
// line returned.
func TestReturn_wholeWay(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Return)
	for _, status := range []string{"approved", "collecting", "collected"} {
		claim = d.advance(t, claim, status)
		require.Nil(t, claim.RefundAmount)
		require.Empty(t, d.paidOut(claim.ClaimNo))
		item := d.order(t, claim.OrderNo).Items[0]
		require.Equal(t, []any{"delivered", true}, []any{item.ItemStatus, item.HasActiveClaim})
	}
	require.Contains(t, []string{"refund_processing", "completed"},
		d.acted(t, claim.ClaimNo, "inspect", requestBody("inspect")).Status)
	d.client.AwaitClaim(t, claim.ClaimNo, "completed")
	order := d.awaitOrder(t, claim.OrderNo, "the line is returned", lineIs("returned"))
	require.Equal(t, "canceled", order.OrderStatus, "no line of the order is left")
	require.Equal(t, []int64{27800}, d.paidOut(claim.ClaimNo))
}

// The goods fail the inspection: the claim is rejected, and the goods remain the customer's.
func TestReturn_failedInspectionRejects(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.claimIn(t, stacktest.Return, "collected")
	rejected := d.acted(t, claim.ClaimNo, "inspect", body{"result": "fail", "memo": "사용 흔적"})
	require.Equal(t, "rejected", rejected.Status)
	require.Equal(t, "fail", *rejected.InspectResult)
	require.NotNil(t, rejected.CompletedAt)
	require.Nil(t, rejected.RefundAmount)
	require.Nil(t, rejected.InspectionDueAt)
	require.Equal(t, collectNo, *rejected.CollectTrackingNo)
	d.awaitOrder(t, claim.OrderNo, "the line is free", lineIs("delivered"))
	require.Empty(t, d.paidOut(claim.ClaimNo))
}

// Customers can withdraw up to approved, which releases their line; later the goods are in transit.
func TestReturn_withdrawnUpToApproved(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, status := range []string{"requested", "approved"} {
		claim := d.claimIn(t, stacktest.Return, status)
		require.Equal(t, "withdrawn", d.WithdrawClaim(t, claim.ClaimNo))
		withdrawn := d.client.Claim(t, claim.ClaimNo)
		require.NotNil(t, withdrawn.CompletedAt)
		require.Greater(t, withdrawn.UpdatedAt, claim.UpdatedAt)
		d.awaitOrder(t, claim.OrderNo, "the line is free", lineIs("delivered"))
		require.Equal(t, "withdrawn", d.WithdrawClaim(t, claim.ClaimNo))
		require.Equal(t, withdrawn, d.client.Claim(t, claim.ClaimNo), "again")
	}
	claim := d.claimIn(t, stacktest.Return, "collecting")
	for _, status := range []string{"collecting", "collected", "completed"} {
		claim = d.advance(t, claim, status)
		_, err := stacktest.Try(t, d.Claims.WithdrawClaim, &claimsv1.WithdrawClaimRequest{ClaimNo: claim.ClaimNo})
		stacktest.RequireRefusal(t, err, "IDEMPOTENCY_UNRESOLVED")
		require.Equal(t, claim, d.client.Claim(t, claim.ClaimNo))
	}
}

// cheap makes an order one whose goods cost less than sending them back.
func cheap(o *ordersv1.Order) {
	line := o.GetSellers()[0].GetLines()[0]
	line.Quantity, line.ListPrice, line.UnitPrice, line.DiscountAmount = 1, 1000, 1000, 0
}
