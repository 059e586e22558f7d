package e2e

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// lineIs returns a predicate that reports whether the first line of an order is in the state and has no active claim.
func lineIs(status string) func(stacktest.Order) bool {
	return func(o stacktest.Order) bool { return o.Items[0].ItemStatus == status && !o.Items[0].HasActiveClaim }
}

// Approving a cancel is all that a seller has to do: the refund starts, and when it is paid the claim is completed and the
// line canceled, whether the line was paid or in preparation.
func TestCancel_approvalRefundsAndEndsLine(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, state := range []string{"paid", "preparing"} {
		began := time.Now().Add(-time.Second)
		claim := d.claimOn(t, d.PlaceNew(t, d.seller.ID, stacktest.InState(state)), stacktest.Cancel)
		before := d.order(t, claim.OrderNo)
		require.Equal(t, []any{state, true}, []any{before.Items[0].ItemStatus, before.Items[0].HasActiveClaim})
		approved := d.acted(t, claim.ClaimNo, "approve", nil)
		require.Contains(t, []string{"refund_processing", "completed"}, approved.Status)
		require.Equal(t, int64(27800), *approved.RefundAmount)
		done := d.client.AwaitClaim(t, claim.ClaimNo, "completed")
		require.NotNil(t, done.CompletedAt)
		require.Nil(t, done.CollectCarrier, "a cancel has no pickup")
		require.Nil(t, done.InspectResult, "and no inspection")
		order := d.order(t, claim.OrderNo)
		require.True(t, lineIs("canceled")(order))
		require.Equal(t, "canceled", order.OrderStatus)
		require.Greater(t, order.UpdatedAt, before.UpdatedAt)
		require.Contains(t, d.entered(t, "canceled", began), claim.OrderNo)
		require.Equal(t, []int64{27800}, d.paidOut(claim.ClaimNo))
	}
}

// paidOut returns the amounts that the payment provider was asked to pay for a claim, money and points together.
func (d *session) paidOut(claimNo string) []int64 {
	asked := d.Payments.Asked(claimNo)
	amounts := make([]int64, len(asked))
	for i, payout := range asked {
		amounts[i] = payout.Total()
	}
	return amounts
}

// A rejected cancel releases the line, which can be processed on; a second request is another claim.
func TestCancel_rejectionGivesLineBack(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	placed := d.PlaceNew(t, d.seller.ID)
	claim := d.claimOn(t, placed, stacktest.Cancel)
	id := claim.Items[0].ItemID
	d.refused(t, "preparation", claim.OrderNo, of(id), http.StatusConflict, "ORDER_ITEM_HAS_ACTIVE_CLAIM")
	d.refused(t, "shipment", claim.OrderNo, shipped(id), http.StatusConflict, "ORDER_ITEM_HAS_ACTIVE_CLAIM")
	rejected := d.acted(t, claim.ClaimNo, "reject", rejection())
	want := claim
	want.Status, want.AvailableActions = "rejected", []string{}
	want.CompletedAt, want.UpdatedAt = rejected.CompletedAt, rejected.UpdatedAt
	want.ClaimShippingFee = nil // nothing was charged
	require.NotNil(t, rejected.CompletedAt)
	require.Equal(t, want, rejected)
	d.awaitOrder(t, claim.OrderNo, "the line is free", lineIs("paid"))
	require.Empty(t, d.paidOut(claim.ClaimNo))
	require.Equal(t, "preparing", d.done(t, "preparation", claim.OrderNo, of(id)).Items[0].ItemStatus)
	again := d.claimOn(t, placed, stacktest.Cancel)
	require.Equal(t, "requested", again.Status)
	require.Equal(t, "rejected", d.client.Claim(t, claim.ClaimNo).Status)
}

// While a customer has to name an account, the claim stays in refund_processing, without a completion time and with its
// line held; the report of the provider completes it, once.
func TestCancel_completedWithItsRefund(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Cancel)
	d.Payments.Tell(claim.ClaimNo, stacktest.NeedsAccount)
	waiting := d.acted(t, claim.ClaimNo, "approve", nil)
	require.Equal(t, "refund_processing", waiting.Status)
	require.Empty(t, waiting.AvailableActions)
	require.Nil(t, waiting.CompletedAt)
	require.Equal(t, int64(27800), *waiting.RefundAmount)
	item := d.order(t, claim.OrderNo).Items[0]
	require.Equal(t, []any{"paid", true}, []any{item.ItemStatus, item.HasActiveClaim})
	for outcome, status := range map[claimsv1.RefundOutcome]string{
		claimsv1.RefundOutcome_REFUND_OUTCOME_NEEDS_ACCOUNT: "refund_processing",
		claimsv1.RefundOutcome_REFUND_OUTCOME_FAILED:        "refund_processing",
	} {
		require.Equal(t, status, d.RecordRefund(t, claim.ClaimNo, outcome))
		require.Equal(t, waiting, d.client.Claim(t, claim.ClaimNo), "%s is no change of the claim", outcome)
	}
	require.Equal(t, "completed", d.RecordRefund(t, claim.ClaimNo, claimsv1.RefundOutcome_REFUND_OUTCOME_SUCCEEDED))
	done := d.client.Claim(t, claim.ClaimNo)
	require.Greater(t, done.UpdatedAt, waiting.UpdatedAt)
	d.awaitOrder(t, claim.OrderNo, "the line is canceled", lineIs("canceled"))
	require.Equal(t, "completed", d.RecordRefund(t, claim.ClaimNo, claimsv1.RefundOutcome_REFUND_OUTCOME_SUCCEEDED))
	require.Equal(t, done, d.client.Claim(t, claim.ClaimNo), "a repeated report of the provider changes nothing")
}

// Each type of claim on a line in each state: cancels on paid and preparing, returns and exchanges on delivered.
func TestClaimRequest_whereLineAllowsIt(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	allowed := map[string][]string{
		stacktest.Cancel: {"paid", "preparing"}, stacktest.Return: {"delivered"}, stacktest.Exchange: {"delivered"},
	}
	for _, state := range itemStates {
		for _, kind := range claimTypes {
			order := d.PlaceNew(t, d.seller.ID, stacktest.InState(state))
			request := stacktest.NewClaim(kind, order)
			_, err := stacktest.Try(t, d.Claims.RequestClaim, request)
			if slices.Contains(allowed[kind], state) {
				require.NoError(t, err, "%s of %s", kind, state)
				require.True(t, d.order(t, order.GetOrderNo()).Items[0].HasActiveClaim)
				continue
			}
			require.Equal(t, "state", stacktest.RequireRefusal(t, err, "CLAIM_NOT_APPROVABLE")["reason"], "%s of %s", kind, state)
			require.False(t, d.order(t, order.GetOrderNo()).Items[0].HasActiveClaim)
			stacktest.RequireFailure(t, d.client.Do(t, stacktest.Get("", "/open/v1/claims/"+request.GetClaimNo())),
				http.StatusNotFound, "CLAIM_NOT_FOUND")
		}
	}
}

// A line has at most one active claim: a second request is refused until the first claim has ended. The repetition of a
// request is not a second one, and the claim number of a request belongs to it alone.
func TestClaimRequest_oneActiveClaimPerLine(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	order := d.PlaceNew(t, d.seller.ID)
	first := stacktest.NewClaim(stacktest.Cancel, order, stacktest.Pieces(1))
	d.RequestClaim(t, first)
	before := d.claimText(t, first.GetClaimNo())
	_, err := stacktest.Try(t, d.Claims.RequestClaim, stacktest.NewClaim(stacktest.Cancel, order, stacktest.Pieces(1)))
	stacktest.RequireRefusal(t, err, "ORDER_ITEM_HAS_ACTIVE_CLAIM")
	d.RequestClaim(t, first)
	require.Equal(t, before, d.claimText(t, first.GetClaimNo()))
	first.ReasonCode = "etc"
	_, err = stacktest.Try(t, d.Claims.RequestClaim, first)
	stacktest.RequireRefusal(t, err, "IDEMPOTENCY_KEY_REUSED")
	require.Equal(t, before, d.claimText(t, first.GetClaimNo()))
}

// A request for a line that does not exist, is not paid, is another seller's, or for more pieces than the line has, is
// refused, and no line is held.
func TestClaimRequest_foreignOrder(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	order := d.PlaceNew(t, d.seller.ID, stacktest.With(other.seller.ID))
	unpaid := d.PlaceNew(t, d.seller.ID, stacktest.Unpaid)
	elsewhere := d.PlaceNew(t, d.seller.ID)
	refused := func(code string, change stacktest.ClaimOption) map[string]any {
		t.Helper()
		_, err := stacktest.Try(t, d.Claims.RequestClaim, stacktest.NewClaim(stacktest.Cancel, order, change))
		return stacktest.RequireRefusal(t, err, code)
	}
	refused("ORDER_NOT_FOUND", func(r *claimsv1.RequestClaimRequest) { r.OrderNo = "T0" })
	refused("ORDER_NOT_FOUND", func(r *claimsv1.RequestClaimRequest) { r.OrderNo = unpaid.GetOrderNo() })
	refused("ORDER_NOT_FOUND", func(r *claimsv1.RequestClaimRequest) { r.SellerId = openSession(t).seller.ID })
	refused("ORDER_ITEM_NOT_FOUND", func(r *claimsv1.RequestClaimRequest) { r.SellerId = other.seller.ID })
	refused("ORDER_ITEM_NOT_FOUND", func(r *claimsv1.RequestClaimRequest) { r.OrderNo = elsewhere.GetOrderNo() })
	require.Equal(t, "quantity", refused("CLAIM_NOT_APPROVABLE", stacktest.Pieces(3))["reason"])
	refused("VALIDATION_ERROR", stacktest.Pieces(0))
	refused("VALIDATION_ERROR", stacktest.Because("because"))
	for _, no := range []string{order.GetOrderNo(), elsewhere.GetOrderNo()} {
		require.False(t, d.order(t, no).Items[0].HasActiveClaim)
	}
	require.Empty(t, d.listed(t))
	require.Empty(t, other.listed(t))
	d.claimOn(t, order, stacktest.Cancel)
}
