package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
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
			require.Equal(t, []int64{row.fees[fault], 0}, []int64{*claim.ClaimShippingFee, *claim.PriceDifference}, "%s for %s", row.kind, reason)
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

// A seller's own fee applies to claims that are requested from then on.
func TestSellerPolicy_ownFeeIsCharged(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	before := d.newClaim(t, stacktest.Return, stacktest.Because("etc"))
	d.SetSellerPolicy(t, d.seller.ID, 2500)
	after := d.newClaim(t, stacktest.Return, stacktest.Because("etc"))
	require.Equal(t, []int64{3000, 2500}, []int64{*before.ClaimShippingFee, *after.ClaimShippingFee})
	require.Equal(t, int64(21800), *d.advance(t, before, "completed").RefundAmount, "the quoted amounts stay")
	require.Equal(t, int64(22300), *d.advance(t, after, "completed").RefundAmount)
	d.SetSellerPolicy(t, d.seller.ID, 0)
	free := d.newClaim(t, stacktest.Return, stacktest.Because("etc"))
	require.Zero(t, *free.ClaimShippingFee)
}

// The shipping fee that was paid is refunded once, with the claim that undoes the last line.
func TestShippingFee_refundedWithLastLine(t *testing.T) {
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

// The shipping fee is not refunded when the customer returns everything without the seller's fault: the shipping was used.
func TestShippingFee_keptWhenAllIsReturned(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	order := d.PlaceNew(t, d.seller.ID, lines(2), stacktest.Claimable(stacktest.Return))
	for _, line := range order.GetSellers()[0].GetLines() {
		claim := d.claimOn(t, order, stacktest.Return, stacktest.OnlyLines(line.GetItemId()), stacktest.Because("change_of_mind"))
		require.Equal(t, int64(21800), *d.advance(t, claim, "completed").RefundAmount)
	}
}

// One line is defective, and the customer does not want the other one either: whichever return finishes last, the customer is
// refunded the same in total. The fee for sending the goods back is deducted from the goods of the second line.
func TestShippingFee_anyOrderOfReturns(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, last := range []int{0, 1} {
		order := d.PlaceNew(t, d.seller.ID, stacktest.Lines(goods(1, 10000, 0), goods(1, 10000, 0)), stacktest.Claimable(stacktest.Return), points(5000))
		placed := order.GetSellers()[0].GetLines()
		claims := []stacktest.Claim{
			d.claimOn(t, order, stacktest.Return, stacktest.OnlyLines(placed[0].GetItemId()), stacktest.Because("defective")),
			d.claimOn(t, order, stacktest.Return, stacktest.OnlyLines(placed[1].GetItemId()), stacktest.Because("change_of_mind")),
		}
		first := d.advance(t, claims[1-last], "completed")
		rest := d.advance(t, claims[last], "completed")
		require.Equal(t, int64(20000), *first.RefundAmount+*rest.RefundAmount)
		require.Equal(t, []int64{0, 3000}, []int64{first.RefundBreakdown.Shipping, rest.RefundBreakdown.Shipping})
		require.Equal(t, int64(5000), first.RefundBreakdown.Points+rest.RefundBreakdown.Points)
		require.Equal(t, int64(3000), first.RefundBreakdown.Fee+rest.RefundBreakdown.Fee)
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
	for used, want := range map[int64][2]int64{4000: {9000, 4000}, 10000: {3000, 10000}, 11000: {2000, 11000}, 13000: {0, 13000}, 0: {13000, 0}} {
		order := d.PlaceNew(t, d.seller.ID, stacktest.Lines(goods(1, 10000, 0)), points(used))
		d.requireAsked(t, d.advance(t, d.claimOn(t, order, stacktest.Cancel), "completed"), want[0], want[1])
	}
	free := d.PlaceNew(t, d.seller.ID, stacktest.Lines(goods(1, 10000, 0)), points(4000), shippingPaid(0))
	done := d.advance(t, d.claimOn(t, free, stacktest.Cancel), "completed")
	d.requireAsked(t, done, 6000, 4000)
	require.Equal(t, &stacktest.Breakdown{Goods: 10000, Points: 4000, Money: 6000}, done.RefundBreakdown)
}

// A line that is claimed piece by piece refunds its points piece by piece, the last claim the rest; the fee is taken from money
// first, then from points, and the outbound shipping of an order that was shipped free is charged with the first return only.
func TestPoints_ofPartialClaims(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	order := d.PlaceNew(t, d.seller.ID, stacktest.Lines(goods(3, 10000, 0)), points(20000), shippingPaid(0), stacktest.Claimable(stacktest.Return))
	for _, want := range []struct {
		reason               string
		fee, money, inPoints int64
	}{
		{"change_of_mind", 6000, 0, 4000}, // 3,334 in money and 6,666 in points, less 6,000
		{"etc", 3000, 333, 6667},          // 3,333 and 6,667, less 3,000
		{"defective", 0, 3333, 6667},
	} {
		claim := d.claimOn(t, order, stacktest.Return, stacktest.Pieces(1), stacktest.Because(want.reason))
		require.Equal(t, want.fee, *claim.ClaimShippingFee)
		d.requireAsked(t, d.advance(t, claim, "completed"), want.money, want.inPoints)
	}
}

// Cheaper goods refund their share of the points, and the new line keeps the rest for later claims.
func TestPoints_ofAnExchangedLine(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	order := d.PlaceNew(t, d.seller.ID, stacktest.Lines(goods(1, 10000, 0)), points(4000), stacktest.Claimable(stacktest.Exchange))
	claim := d.claimOn(t, order, stacktest.Exchange, stacktest.For("네이비 / L", 7500))
	done := d.advance(t, claim, "completed")
	d.requireAsked(t, done, 1500, 1000)
	require.Equal(t, &stacktest.Breakdown{PriceDifference: -2500, Points: 1000, Money: 1500}, done.RefundBreakdown)
	fresh := line(t, d.order(t, order.GetOrderNo()), "02")
	d.done(t, "delivery", order.GetOrderNo(), of(fresh.ItemID))
	again := &claimsv1.RequestClaimRequest{
		ClaimNo: stacktest.NewClaimNo(), SellerId: d.seller.ID, OrderNo: order.GetOrderNo(), Type: stacktest.Return, ReasonCode: "defective",
		Items: []*claimsv1.ClaimItem{{ItemId: fresh.ItemID, Quantity: 1}},
	}
	d.RequestClaim(t, again)
	back := d.advance(t, d.client.Claim(t, again.GetClaimNo()), "completed")
	d.requireAsked(t, back, 4500+3000, 3000)
}

// One payment can cover several claims, each with its own amount; and a claim that ended without effect has charged nothing.
func TestClaimPayment_coversTwoClaims(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	one, other := d.dearer(t), d.dearer(t)
	payment := "pay-both-" + one.ClaimNo
	requireRefusal(t, d.tryPayment(t, one.ClaimNo, payment, 2*shortfall), "VALIDATION_ERROR")
	for _, claim := range []stacktest.Claim{one, other, one} {
		require.NoError(t, d.tryPayment(t, claim.ClaimNo, payment, shortfall))
		require.Equal(t, "requested", d.client.Claim(t, claim.ClaimNo).Status)
	}
	requireLedger(t, d, one.ClaimNo, "shortfall_payment 4000")
	requireLedger(t, d, other.ClaimNo, "shortfall_payment 4000")
	d.WithdrawClaim(t, one.ClaimNo)
	d.requireReturned(t, one.ClaimNo)
	require.Nil(t, d.client.Claim(t, one.ClaimNo).ClaimShippingFee)
	require.Zero(t, *d.advance(t, d.client.Claim(t, other.ClaimNo), "completed").ClaimShippingFee)
}

// Claims that end without effect pay nothing, and a later claim on the same line is refunded in full.
func TestRejectedClaim_movesNoMoney(t *testing.T) {
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
