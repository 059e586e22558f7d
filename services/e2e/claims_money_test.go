package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// reasons are all reasons, each with the side at fault.
var reasons = map[string]string{
	"change_of_mind": "buyer", "etc": "buyer",
	"defective": "seller", "wrong_delivery": "seller", "out_of_stock": "seller", "delayed_by_seller": "seller",
}

func shippingPaid(amount int64) stacktest.OrderOption {
	return func(o *ordersv1.Order) { o.Sellers[0].ShippingFeePaid = amount }
}

// The standard order: two pieces, 24,800 paid for them and 3,000 for shipping. The reason decides who is at fault, that decides
// the fee, and both decide the refund.
func TestClaimReason_decidesFaultFeeAndRefund(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for reason, fault := range reasons {
		for _, row := range []struct {
			kind          string
			shippingPaid  int64
			fees, refunds map[string]int64
		}{
			{stacktest.Cancel, 3000, map[string]int64{"buyer": 0, "seller": 0}, map[string]int64{"buyer": 27800, "seller": 27800}},
			{stacktest.Return, 3000, map[string]int64{"buyer": 3000, "seller": 0}, map[string]int64{"buyer": 21800, "seller": 27800}},
			{stacktest.Return, 0, map[string]int64{"buyer": 6000, "seller": 0}, map[string]int64{"buyer": 18800, "seller": 24800}},
		} {
			order := d.PlaceNew(t, d.seller.ID, stacktest.Claimable(row.kind), shippingPaid(row.shippingPaid))
			claim := d.claimOn(t, order, row.kind, stacktest.Because(reason))
			require.Equal(t, []string{reason, fault}, []string{claim.ReasonCode, claim.Fault})
			require.Equal(t, []int64{row.fees[fault], 0}, []int64{*claim.ClaimShippingFee, *claim.PriceDifference},
				"%s for %s", row.kind, reason)
			require.Nil(t, claim.RefundAmount, "nothing is fixed before its time")
			if reason != "etc" && reason != "defective" {
				continue // one reason of each side is taken to completion
			}
			done := d.advance(t, claim, "completed")
			require.Equal(t, row.refunds[fault], *done.RefundAmount, "%s for %s, %d for shipping", row.kind, reason, row.shippingPaid)
			require.Equal(t, []int64{row.refunds[fault]}, d.paidOut(claim.ClaimNo))
		}
	}
}

func points(amount int64) stacktest.OrderOption {
	return func(o *ordersv1.Order) { o.Sellers[0].PointUsedAmount = amount }
}

// requireAsked checks what the payment provider was asked to pay for a claim, in money and in points, and that both are in the
// ledger.
func (d *session) requireAsked(t *testing.T, claim stacktest.Claim, money, inPoints int64) {
	t.Helper()
	asked := d.Payments.Asked(claim.ClaimNo)
	require.Len(t, asked, 1)
	require.Equal(t, []int64{money, inPoints}, []int64{asked[0].Amount, asked[0].Points})
	require.Equal(t, []int64{money, inPoints}, []int64{claim.RefundBreakdown.Money, claim.RefundBreakdown.Points})
	require.Equal(t, money+inPoints, *claim.RefundAmount)
	var entries []string
	for _, entry := range []struct {
		kind   string
		amount int64
	}{{"refund_payout", money}, {"points_payout", inPoints}} {
		if entry.amount > 0 {
			entries = append(entries, fmt.Sprintf("%s %d", entry.kind, entry.amount))
		}
	}
	requireLedger(t, d, claim.ClaimNo, entries...)
}

// Points are not money. If the customer paid 4,000 of 10,000 with points, 4,000 are refunded as points and 6,000 as money.
func TestPoints_comeBackAsPoints(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for used, want := range map[int64][2]int64{
		4000: {9000, 4000}, 10000: {3000, 10000}, 11000: {2000, 11000},
		13000: {0, 13000}, 0: {13000, 0},
	} {
		order := d.PlaceNew(t, d.seller.ID, stacktest.Lines(goods(1, 10000, 0)), points(used))
		d.requireAsked(t, d.advance(t, d.claimOn(t, order, stacktest.Cancel), "completed"), want[0], want[1])
	}
	free := d.PlaceNew(t, d.seller.ID, stacktest.Lines(goods(1, 10000, 0)), points(4000), shippingPaid(0))
	done := d.advance(t, d.claimOn(t, free, stacktest.Cancel), "completed")
	d.requireAsked(t, done, 6000, 4000)
	require.Equal(t, &stacktest.Breakdown{Goods: 10000, Points: 4000, Money: 6000}, done.RefundBreakdown)
}
