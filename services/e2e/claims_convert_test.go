package e2e

import (
	"net/http"
	"slices"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// convertTo replaces an exchange with a return of this number and returns the return's state.
func (d *session) convertTo(t *testing.T, claimNo, returnNo string) (string, error) {
	t.Helper()
	answer, err := stacktest.Try(t, d.Claims.ConvertToReturn, &claimsv1.ConvertToReturnRequest{
		ClaimNo: claimNo, ReturnClaimNo: returnNo, Operator: "운영자",
	})
	return answer.GetReturnStatus(), err
}

// exchangeFrom requests an exchange for this reason and brings it to a state, including the payment of a shortfall and an
// operator's hold.
func (d *session) exchangeFrom(t *testing.T, reason, status string, options ...stacktest.ClaimOption) stacktest.Claim {
	t.Helper()
	order := d.delivered(t, goods(2, 12900, 1000))
	request := stacktest.NewClaim(stacktest.Exchange, order, append(options, stacktest.Because(reason))...)
	if _, missing := d.RequestClaim(t, request); missing > 0 {
		d.PayShortfall(t, request.GetClaimNo(), missing)
	}
	claim := d.client.Claim(t, request.GetClaimNo())
	if status == "inspecting" {
		d.HoldInspection(t, d.advance(t, claim, "collected").ClaimNo)
		return d.client.Claim(t, claim.ClaimNo)
	}
	return d.advance(t, claim, status)
}

// conversions are the states of an exchange in which a return can replace it, and the state that the return begins in, which
// corresponds to how far the goods have come. A refund that is paid at once completes it.
var conversions = []struct{ from, to string }{
	{"requested", "requested"},
	{"approved", "approved"},
	{"collecting", "collecting"},
	{"collected", "collected"},
	{"inspecting", "collected"},
	{"reshipping", "completed"},
}

// refundsByReason are what the return of two pieces that cost 24,800 won refunds, and what its exchange had charged before:
// at the buyer's fault the refund is reduced by the fee for one way, at the seller's it includes the shipping of the whole
// purchase.
var refundsByReason = map[string]struct{ fee, refund, prepaid int64 }{
	"change_of_mind": {3000, 21800, 6000},
	"wrong_delivery": {0, 27800, 0},
}

// An exchange can be converted to a return in every state before its end: the exchange ends, the return continues from where
// the goods are, the line stays held, and the customer is refunded what the return gives and what was prepaid for the
// exchange.
func TestExchange_toReturn(t *testing.T) {
	t.Parallel()
	for reason := range refundsByReason {
		for _, row := range conversions {
			t.Run(reason+" "+row.from, func(t *testing.T) {
				t.Parallel()
				d := openSession(t)
				was := d.exchangeFrom(t, reason, row.from)
				returnNo := stacktest.NewClaimNo()
				for range 2 {
					status, err := d.convertTo(t, was.ClaimNo, returnNo)
					require.NoError(t, err)
					require.Contains(t, []string{row.to, "refund_processing"}, status)
				}
				_, err := d.convertTo(t, was.ClaimNo, stacktest.NewClaimNo())
				requireRefusal(t, err, "IDEMPOTENCY_UNRESOLVED")
				d.requireConverted(t, was)
				requireSuccessor(t, was, d.client.AwaitClaim(t, returnNo, row.to))
				if row.to != "completed" {
					d.requireHeldFor(t, was)
				}
				d.requireReturnFinishes(t, reason, was.ClaimNo, returnNo)
			})
		}
	}
}

// requireConverted checks the exchange that has ended: of the values that it showed only the fee is gone, which is not charged.
func (d *session) requireConverted(t *testing.T, was stacktest.Claim) {
	t.Helper()
	now := d.client.Claim(t, was.ClaimNo)
	require.NotNil(t, now.CompletedAt)
	require.Greater(t, now.UpdatedAt, was.UpdatedAt)
	was.Status, was.AvailableActions, was.CompletedAt, was.UpdatedAt = "converted_to_return", []string{}, now.CompletedAt, now.UpdatedAt
	was.ClaimShippingFee = nil
	require.Equal(t, was, now)
	d.requireUnresolved(t, was.ClaimNo, "reship", requestBody("reship"))
	d.requireUnresolved(t, was.ClaimNo, "reject", rejection())
	if was.CollectTrackingNo != nil {
		d.requireDone(t, was.ClaimNo, "pickup", requestBody("pickup"))
	}
}

// requireSuccessor checks a return that replaced an exchange: it has the same goods and the same reason, and the steps that
// were done with them count as done.
func requireSuccessor(t *testing.T, was, now stacktest.Claim) {
	t.Helper()
	goods := slices.Clone(was.Items)
	for i := range goods {
		goods[i].ExchangeOptionName = nil
	}
	require.Equal(t, goods, now.Items)
	require.Equal(t, []string{"return", was.OrderNo, was.ReasonCode, was.Fault}, []string{now.Type, now.OrderNo, now.ReasonCode, now.Fault})
	require.Equal(t, []any{was.CollectCarrier, was.CollectTrackingNo, was.InspectResult}, []any{now.CollectCarrier, now.CollectTrackingNo, now.InspectResult})
	require.Zero(t, *now.PriceDifference)
	require.Equal(t, refundsByReason[was.ReasonCode].fee, *now.ClaimShippingFee, "its own fee, not the exchange's")
	require.Equal(t, now.Status == "completed", now.RefundAmount != nil)
	require.Equal(t, now.Status == "collected", now.InspectionDueAt != nil)
	require.Nil(t, now.ReshipTrackingNo)
}

func (d *session) requireHeldFor(t *testing.T, was stacktest.Claim) {
	t.Helper()
	item := d.order(t, was.OrderNo).Items[0]
	require.Equal(t, []any{"delivered", true}, []any{item.ItemStatus, item.HasActiveClaim})
	_, err := stacktest.Try(t, d.Claims.RequestClaim, &claimsv1.RequestClaimRequest{
		ClaimNo: stacktest.NewClaimNo(), SellerId: d.seller.ID, OrderNo: was.OrderNo, Type: stacktest.Return, ReasonCode: "etc",
		Items: []*claimsv1.ClaimItem{{ItemId: item.ItemID, Quantity: 1}},
	})
	requireRefusal(t, err, "ORDER_ITEM_HAS_ACTIVE_CLAIM")
}

func (d *session) requireReturnFinishes(t *testing.T, reason, exchangeNo, returnNo string) {
	t.Helper()
	done := d.advance(t, d.client.Claim(t, returnNo), "completed")
	money := refundsByReason[reason]
	require.Equal(t, money.refund, *done.RefundAmount)
	order := d.awaitOrder(t, done.OrderNo, "the line is returned", func(o stacktest.Order) bool { return o.Items[0].ItemStatus == "returned" })
	require.Equal(t, "canceled", order.OrderStatus, "no line of the order is left")
	for _, item := range order.Items {
		require.False(t, item.HasActiveClaim)
		require.Equal(t, item.IsExchange, item.ItemStatus == "canceled", "a new line that was not shipped is canceled")
	}
	asked := d.Payments.Asked(returnNo)
	require.Len(t, asked, 1)
	require.Equal(t, []any{"refund", money.refund}, []any{asked[0].Kind, asked[0].Total()})
	var back int64
	for _, payout := range d.Payments.Asked(exchangeNo) {
		require.Equal(t, "shortfall_return", payout.Kind, "the exchange itself refunds nothing")
		back += payout.Amount
	}
	require.Equal(t, money.prepaid, back)
}

// A return that begins with its refund holds the line until the money is paid; what the exchange refunded before is not
// refunded again.
func TestConversion_ofReshipmentRefundsRest(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	was := d.exchangeFrom(t, "wrong_delivery", "reshipping", stacktest.For("네이비 / L", 10900))
	requirePaidOut(t, d, 4000, was)
	returnNo := stacktest.NewClaimNo()
	d.Payments.Tell(returnNo, stacktest.NeedsAccount)
	status, err := d.convertTo(t, was.ClaimNo, returnNo)
	require.NoError(t, err)
	require.Equal(t, "refund_processing", status)
	waiting := d.client.Claim(t, returnNo)
	require.EqualValues(t, 24800-4000+3000, *waiting.RefundAmount)
	require.Empty(t, waiting.AvailableActions)
	require.Nil(t, waiting.CompletedAt)
	order := d.awaitOrder(t, was.OrderNo, "the new line is canceled", func(o stacktest.Order) bool { return o.Items[1].ItemStatus == "canceled" })
	require.Equal(t, "delivered", order.Items[0].ItemStatus)
	d.requireHeldFor(t, was)
	require.Equal(t, "completed", d.RecordRefund(t, returnNo, claimsv1.RefundOutcome_REFUND_OUTCOME_SUCCEEDED))
	d.awaitOrder(t, was.OrderNo, "the line is returned", func(o stacktest.Order) bool { return o.Items[0].ItemStatus == "returned" })
	requirePaidOut(t, d, 4000, d.client.Claim(t, was.ClaimNo))
	requirePaidOut(t, d, 23800, d.client.Claim(t, returnNo))
}

// Only an exchange in progress can be converted to a return.
func TestConversion_onlyOfExchangeOnItsWay(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	unpaid, done, back := d.dearer(t), d.claimIn(t, stacktest.Exchange, "completed"), d.newClaim(t, stacktest.Return)
	withdrawn := d.newClaim(t, stacktest.Exchange)
	d.WithdrawClaim(t, withdrawn.ClaimNo)
	for _, claim := range []stacktest.Claim{unpaid, done, back, withdrawn} {
		before := d.claimText(t, claim.ClaimNo)
		returnNo := stacktest.NewClaimNo()
		_, err := d.convertTo(t, claim.ClaimNo, returnNo)
		requireRefusal(t, err, "IDEMPOTENCY_UNRESOLVED")
		require.Equal(t, before, d.claimText(t, claim.ClaimNo))
		stacktest.RequireFailure(t, d.client.Do(t, stacktest.Get("", "/open/v1/claims/"+returnNo)), http.StatusNotFound, "CLAIM_NOT_FOUND")
	}
	_, err := d.convertTo(t, stacktest.NewClaimNo(), stacktest.NewClaimNo())
	requireRefusal(t, err, "CLAIM_NOT_FOUND")
}

// The new goods are shipped while an operator converts the exchange: whichever comes first succeeds, and the other is
// refused.
func TestConversion_concurrentReshipment(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for n := range 12 {
		claim, fresh := d.reshippingLine(t)
		var shipped int
		var err error
		both := []func(){
			func() { shipped = d.do(t, "shipment", claim.OrderNo, toShip(fresh.ItemID)).Status },
			func() { _, err = d.convertTo(t, claim.ClaimNo, stacktest.NewClaimNo()) },
		}
		var first sync.WaitGroup
		first.Go(both[n%2])
		both[1-n%2]()
		first.Wait()
		if shipped == http.StatusOK {
			requireRefusal(t, err, "IDEMPOTENCY_UNRESOLVED")
			require.Equal(t, "reshipping", d.client.Claim(t, claim.ClaimNo).Status)
			require.Equal(t, []string{"delivered", "shipping"}, states(d.order(t, claim.OrderNo)))
		} else {
			require.NoError(t, err)
			require.Equal(t, "converted_to_return", d.client.Claim(t, claim.ClaimNo).Status)
			require.Equal(t, "canceled", d.order(t, claim.OrderNo).Items[1].ItemStatus)
		}
	}
}

// New goods that were shipped with the shipment call of the order are on their way to the customer, who must not be refunded
// as well: such an exchange is not converted. Its reshipment completes it, and what arrives can be returned.
func TestConversion_newLineShipped(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim, fresh := d.reshippingLine(t)
	d.done(t, "shipment", claim.OrderNo, toShip(fresh.ItemID))
	before := d.text(t, claim.OrderNo)
	_, err := d.convertTo(t, claim.ClaimNo, stacktest.NewClaimNo())
	requireRefusal(t, err, "IDEMPOTENCY_UNRESOLVED")
	require.Equal(t, claim, d.client.Claim(t, claim.ClaimNo))
	require.Equal(t, before, d.text(t, claim.OrderNo))
	d.advance(t, claim, "completed")
	d.done(t, "delivery", claim.OrderNo, of(fresh.ItemID))
	request := &claimsv1.RequestClaimRequest{
		ClaimNo: stacktest.NewClaimNo(), SellerId: d.seller.ID, OrderNo: claim.OrderNo, Type: stacktest.Return, ReasonCode: "defective",
		Items: []*claimsv1.ClaimItem{{ItemId: fresh.ItemID, Quantity: fresh.Quantity}},
	}
	d.RequestClaim(t, request)
	back := d.advance(t, d.client.Claim(t, request.GetClaimNo()), "completed")
	require.Equal(t, fresh.LinePaidAmount+3000, *back.RefundAmount, "everything that the customer has paid")
}
