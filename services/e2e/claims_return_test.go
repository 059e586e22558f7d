package e2e

import (
	"net/http"
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
	require.Contains(t, []string{"refund_processing", "completed"}, d.acted(t, claim.ClaimNo, "inspect", requestBody("inspect")).Status)
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

// A rejection from requested is the seller's own decision: it has no inspection result.
func TestReturn_rejectedFromRequested(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	rejected := d.acted(t, d.newClaim(t, stacktest.Return).ClaimNo, "reject", rejection())
	require.Equal(t, "rejected", rejected.Status)
	require.Nil(t, rejected.InspectResult)
	require.NotNil(t, rejected.CompletedAt)
	d.awaitOrder(t, rejected.OrderNo, "the line is free", lineIs("delivered"))
}

// While an operator inspects the goods, the seller can only reject; the operator can decide instead.
func TestInspection_heldForOperator(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	held := func() stacktest.Claim {
		claim := d.claimIn(t, stacktest.Return, "collected")
		require.Equal(t, "inspecting", d.HoldInspection(t, claim.ClaimNo))
		claim = d.client.Claim(t, claim.ClaimNo)
		require.Equal(t, []string{"reject"}, claim.AvailableActions)
		require.Nil(t, claim.InspectionDueAt, "it does not pass automatically")
		for _, step := range claimSteps[3:] {
			d.actRefused(t, claim.ClaimNo, step.action, step.body, http.StatusConflict, "IDEMPOTENCY_UNRESOLVED")
		}
		return claim
	}
	rejected := d.acted(t, held().ClaimNo, "reject", rejection())
	require.Equal(t, "rejected", rejected.Status)
	require.Nil(t, rejected.InspectResult, "rejected explicitly, not by inspection")
	d.awaitOrder(t, rejected.OrderNo, "the line is free", lineIs("delivered"))

	passed := held()
	d.ActAsOperator(t, passed.ClaimNo, "inspect", "", "")
	done := d.client.AwaitClaim(t, passed.ClaimNo, "completed")
	require.Equal(t, "pass", *done.InspectResult)
	d.awaitOrder(t, done.OrderNo, "the line is returned", lineIs("returned"))
}

// The refund of a return may take long: the claim shows that, and the seller has nothing left to do.
func TestReturn_completedWithItsRefund(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.claimIn(t, stacktest.Return, "collected")
	d.Payments.Tell(claim.ClaimNo, stacktest.NeedsAccount)
	waiting := d.acted(t, claim.ClaimNo, "inspect", requestBody("inspect"))
	require.Equal(t, []any{"refund_processing", []string{}}, []any{waiting.Status, waiting.AvailableActions})
	require.Nil(t, waiting.CompletedAt)
	item := d.order(t, claim.OrderNo).Items[0]
	require.Equal(t, []any{"delivered", true}, []any{item.ItemStatus, item.HasActiveClaim})
	require.Equal(t, "completed", d.RecordRefund(t, claim.ClaimNo, claimsv1.RefundOutcome_REFUND_OUTCOME_SUCCEEDED))
	d.awaitOrder(t, claim.OrderNo, "the line is returned", lineIs("returned"))
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

// shortfallReturn requests a return at the buyer's fault with a shortfall to be paid first: 2,000 of the fee of 3,000.
func (d *session) shortfallReturn(t *testing.T, options ...stacktest.ClaimOption) stacktest.Claim {
	t.Helper()
	order := d.PlaceNew(t, d.seller.ID, stacktest.Claimable(stacktest.Return), cheap)
	request := stacktest.NewClaim(stacktest.Return, order, append(options, stacktest.Because("change_of_mind"))...)
	status, shortfall := d.RequestClaim(t, request)
	require.Equal(t, []any{"payment_pending", int64(2000)}, []any{status, shortfall})
	return d.client.Claim(t, request.GetClaimNo())
}

// Until the customer has paid, the seller has nothing to do; then the return proceeds as usual and refunds nothing.
func TestReturn_shortfallPaidFirst(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.shortfallReturn(t)
	require.Empty(t, claim.AvailableActions)
	require.NotNil(t, claim.PaymentDueAt)
	require.True(t, d.order(t, claim.OrderNo).Items[0].HasActiveClaim)
	for _, action := range claimActions {
		d.actRefused(t, claim.ClaimNo, action, requestBody(action), http.StatusConflict, "IDEMPOTENCY_UNRESOLVED")
	}
	_, err := stacktest.Try(t, d.Claims.RecordShortfallPayment, &claimsv1.RecordShortfallPaymentRequest{
		ClaimNo: claim.ClaimNo, PaymentId: "pay", Amount: 1999,
	})
	stacktest.RequireRefusal(t, err, "VALIDATION_ERROR")
	require.Equal(t, claim, d.client.Claim(t, claim.ClaimNo))

	require.Equal(t, "requested", d.PayShortfall(t, claim.ClaimNo, 2000))
	paid := d.client.Claim(t, claim.ClaimNo)
	require.Equal(t, []any{"requested", availableActions(t, paid.Type, "requested")}, []any{paid.Status, paid.AvailableActions})
	require.Nil(t, paid.PaymentDueAt)
	require.Greater(t, paid.UpdatedAt, claim.UpdatedAt)
	require.Equal(t, "requested", d.PayShortfall(t, claim.ClaimNo, 2000))
	require.Equal(t, paid, d.client.Claim(t, claim.ClaimNo), "a payment reported twice counts once")

	done := d.advance(t, paid, "completed")
	require.Equal(t, []int64{0, 3000}, []int64{*done.RefundAmount, *done.ClaimShippingFee})
	d.awaitOrder(t, claim.OrderNo, "the line is returned", lineIs("returned"))
	require.Empty(t, d.paidOut(claim.ClaimNo))
}

// A prepayment is refunded when the return ends without effect, however it ends.
func TestReturn_prepaymentRefundedWithoutEffect(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for name, end := range map[string]func(claim stacktest.Claim){
		"withdrawn": func(claim stacktest.Claim) { d.WithdrawClaim(t, claim.ClaimNo) },
		"rejected":  func(claim stacktest.Claim) { d.acted(t, claim.ClaimNo, "reject", rejection()) },
		"inspected": func(claim stacktest.Claim) {
			d.acted(t, d.advance(t, claim, "collected").ClaimNo, "inspect", body{"result": "fail", "memo": "사용 흔적"})
		},
	} {
		claim := d.shortfallReturn(t)
		d.PayShortfall(t, claim.ClaimNo, 2000)
		end(d.client.Claim(t, claim.ClaimNo))
		ended := d.client.Claim(t, claim.ClaimNo)
		require.NotNil(t, ended.CompletedAt, name)
		require.Nil(t, ended.RefundAmount, "%s: nothing was bought back", name)
		d.awaitOrder(t, claim.OrderNo, "the line is free", lineIs("delivered"))
		stacktest.Await(t, name+": the prepayment goes back", func() bool { return len(d.Payments.Asked(claim.ClaimNo)) == 1 })
		payout := d.Payments.Asked(claim.ClaimNo)[0]
		require.Equal(t, []any{"shortfall_return", int64(2000)}, []any{payout.Kind, payout.Amount}, name)
	}
}

// Withdrawing a return with an unpaid shortfall moves no money.
func TestReturn_withdrawnUnpaid(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.shortfallReturn(t)
	require.Equal(t, "withdrawn", d.WithdrawClaim(t, claim.ClaimNo))
	d.awaitOrder(t, claim.OrderNo, "the line is free", lineIs("delivered"))
	require.Empty(t, d.paidOut(claim.ClaimNo))
	d.actRefused(t, claim.ClaimNo, "approve", nil, http.StatusConflict, "IDEMPOTENCY_UNRESOLVED")
}
