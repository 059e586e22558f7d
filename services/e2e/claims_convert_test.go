package e2e

import (
	"slices"
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
	was.Status, was.AvailableActions, was.CompletedAt, was.UpdatedAt = "converted_to_return", []string{},
		now.CompletedAt, now.UpdatedAt
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
	require.Equal(t, []string{"return", was.OrderNo, was.ReasonCode, was.Fault},
		[]string{now.Type, now.OrderNo, now.ReasonCode, now.Fault})
	require.Equal(t, []any{was.CollectCarrier, was.CollectTrackingNo, was.InspectResult},
		[]any{now.CollectCarrier, now.CollectTrackingNo, now.InspectResult})
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
	order := d.awaitOrder(t, done.OrderNo, "the line is returned",
		func(o stacktest.Order) bool { return o.Items[0].ItemStatus == "returned" })
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
