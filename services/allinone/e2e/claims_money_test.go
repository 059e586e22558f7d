package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/allinone/stack/stacktest"
)

// reasons are all reasons with the side at fault.
var reasons = map[string]string{
	"change_of_mind": "buyer", "etc": "buyer",
	"defective": "seller", "wrong_delivery": "seller", "out_of_stock": "seller", "delayed_by_seller": "seller",
}

// shippingPaid is what the customer paid for the first seller's shipping.
func shippingPaid(amount int64) stacktest.OrderOption {
	return func(o *ordersv1.Order) { o.Sellers[0].ShippingFeePaid = amount }
}

// The standard order: two pieces, 24,800 paid for them and 3,000 for shipping. Who is at fault follows from the reason, the
// fee from who is at fault, and what the customer gets from both.
func TestTheReasonDecidesFaultFeeAndRefund(t *testing.T) {
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
			require.Equal(t, []int64{row.fees[fault], 0}, []int64{*claim.ClaimShippingFee, *claim.PriceDifference}, "%s for %s", row.kind, reason)
			require.Nil(t, claim.RefundAmount, "nothing is fixed before its time")
			if reason != "etc" && reason != "defective" {
				continue // one of each side goes the whole way
			}
			done := d.advance(t, claim, "completed")
			require.Equal(t, row.refunds[fault], *done.RefundAmount, "%s for %s, %d for shipping", row.kind, reason, row.shippingPaid)
			require.Equal(t, []int64{row.refunds[fault]}, d.paidOut(claim.ClaimNo))
		}
	}
}

// A seller's own fee holds for claims that are requested from then on.
func TestASellersOwnFeeIsCharged(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	before := d.newClaim(t, stacktest.Return, stacktest.Because("etc"))
	d.SetSellerPolicy(t, d.seller.ID, 2500)
	after := d.newClaim(t, stacktest.Return, stacktest.Because("etc"))
	require.Equal(t, []int64{3000, 2500}, []int64{*before.ClaimShippingFee, *after.ClaimShippingFee})
	require.Equal(t, int64(21800), *d.advance(t, before, "completed").RefundAmount, "what was quoted stays")
	require.Equal(t, int64(22300), *d.advance(t, after, "completed").RefundAmount)
	d.SetSellerPolicy(t, d.seller.ID, 0)
	free := d.newClaim(t, stacktest.Return, stacktest.Because("etc"))
	require.Zero(t, *free.ClaimShippingFee)
}

// What was paid for shipping goes back once, with the claim that undoes the last line.
func TestShippingGoesBackWithTheLastLine(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for kind, want := range map[string][]int64{stacktest.Cancel: {24800, 24800, 27800}, stacktest.Return: {24800, 24800, 27800}} {
		order := d.PlaceNew(t, d.seller.ID, lines(3), stacktest.Claimable(kind))
		var refunds []int64
		for _, line := range order.GetSellers()[0].GetLines() {
			done := d.advance(t, d.claimOn(t, order, kind, stacktest.OnlyLines(line.GetItemId())), "completed")
			refunds = append(refunds, *done.RefundAmount)
		}
		require.Equal(t, want, refunds, kind)
		require.Equal(t, "canceled", d.order(t, order.GetOrderNo()).OrderStatus)
	}
}

// The seller is not at fault for the rest that the customer did not want either: shipping was used.
func TestShippingFee_keptWhenAllIsReturned(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	order := d.PlaceNew(t, d.seller.ID, lines(2), stacktest.Claimable(stacktest.Return))
	placed := order.GetSellers()[0].GetLines()
	first := d.claimOn(t, order, stacktest.Return, stacktest.OnlyLines(placed[0].GetItemId()))
	require.Equal(t, int64(24800), *d.advance(t, first, "completed").RefundAmount)
	last := d.claimOn(t, order, stacktest.Return, stacktest.OnlyLines(placed[1].GetItemId()), stacktest.Because("change_of_mind"))
	require.Equal(t, int64(21800), *d.advance(t, last, "completed").RefundAmount)
}

// Claims that end without effect pay nothing, and what is claimed anew is refunded whole.
func TestARejectedClaimLeavesTheMoneyWhereItIs(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	order := d.PlaceNew(t, d.seller.ID)
	rejected := d.claimOn(t, order, stacktest.Cancel)
	d.acted(t, rejected.ClaimNo, "reject", rejection())
	done := d.advance(t, d.claimOn(t, order, stacktest.Cancel), "completed")
	require.Equal(t, int64(27800), *done.RefundAmount)
	require.Empty(t, d.paidOut(rejected.ClaimNo))
	require.Equal(t, []int64{27800}, d.paidOut(done.ClaimNo))
}
