package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// exchanged exchanges all of a line that has arrived, which the customer gets at this price, delivers the new line, and returns
// both the exchange and the new line. The seller is at fault.
func (d *session) exchanged(t *testing.T, order *ordersv1.Order, itemID string, quantity, price int64) (stacktest.Claim, stacktest.Item) {
	t.Helper()
	request := stacktest.NewClaim(stacktest.Exchange, order, stacktest.For("네이비 / L", price), stacktest.Pieces(quantity))
	request.Items[0].ItemId = itemID
	if _, shortfall := d.RequestClaim(t, request); shortfall > 0 {
		d.PayShortfall(t, request.GetClaimNo(), shortfall)
	}
	claim := d.advance(t, d.client.Claim(t, request.GetClaimNo()), "completed")
	items := d.order(t, order.GetOrderNo()).Items
	fresh := items[len(items)-1]
	d.done(t, "delivery", order.GetOrderNo(), of(fresh.ItemID))
	return claim, fresh
}

// The new line of an exchange shows the price of the wanted option, whatever the discount was. A discount that is larger lapses
// in part: the customer gets back what was paid, not more, and pays the whole difference to the next option.
func TestExchangeChain_discountBeyondPrice(t *testing.T) {
	t.Parallel()
	type amounts struct{ difference, unit, amount, discount, paid int64 }
	for _, pieces := range []int64{1, 3} {
		d := openSession(t)
		order := d.delivered(t, goods(pieces, 10_000, 9000*pieces))
		item := order.GetSellers()[0].GetLines()[0].GetItemId()
		for _, row := range []struct {
			price int64
			want  amounts
		}{
			{5000, amounts{-1000, 5000, 5000, 5000, 0}},
			{7000, amounts{2000, 7000, 7000, 5000, 2000}},
			{5000, amounts{-2000, 5000, 5000, 5000, 0}},
			{4000, amounts{0, 4000, 4000, 4000, 0}},
			{0, amounts{0, 4000, 4000, 4000, 0}},
			{10_000, amounts{6000, 10_000, 10_000, 4000, 6000}},
		} {
			claim, fresh := d.exchanged(t, order, item, pieces, row.price)
			want := amounts{row.want.difference * pieces, row.want.unit, row.want.amount * pieces, row.want.discount * pieces, row.want.paid * pieces}
			require.Equal(t, want, amounts{
				*claim.PriceDifference, fresh.UnitPrice, fresh.LineAmount, fresh.DiscountAmount, fresh.LinePaidAmount,
			}, "exchanged for %d", row.price)
			item = fresh.ItemID
		}
	}
}

// What a claim shows as its fee is what was charged: a converted exchange charges nothing, and the return in its place no more
// than it can deduct, since it awaits no payment.
func TestConversion_feeIsWhatWasCharged(t *testing.T) {
	t.Parallel()
	for _, row := range conversions {
		d := openSession(t)
		order := d.delivered(t, goods(1, 2000, 0))
		request := stacktest.NewClaim(stacktest.Exchange, order, stacktest.Because("change_of_mind"))
		_, shortfall := d.RequestClaim(t, request)
		require.EqualValues(t, 6000, shortfall)
		d.PayShortfall(t, request.GetClaimNo(), shortfall)
		was := d.client.Claim(t, request.GetClaimNo())
		if row.from == "inspecting" {
			d.HoldInspection(t, d.advance(t, was, "collected").ClaimNo)
		} else {
			d.advance(t, was, row.from)
		}
		returnNo := stacktest.NewClaimNo()
		_, err := d.convertTo(t, was.ClaimNo, returnNo)
		require.NoError(t, err)
		require.Nil(t, d.client.Claim(t, was.ClaimNo).ClaimShippingFee, "%s: its prepayment is given back", row.from)
		require.EqualValues(t, 2000, *d.client.Claim(t, returnNo).ClaimShippingFee, row.from)
		done := d.advance(t, d.client.Claim(t, returnNo), "completed")
		require.Equal(t, []int64{2000, 2000, 0}, []int64{*done.ClaimShippingFee, done.RefundBreakdown.Fee, *done.RefundAmount}, row.from)
	}
}

// A fee is an amount of a currency: that in won is not charged in another one.
func TestSellerPolicy_feeOfTheOrdersCurrency(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for currency, want := range map[string]int64{"KRW": 3000, "USD": 0, "JPY": 0} {
		order := d.PlaceNew(t, d.seller.ID, stacktest.Claimable(stacktest.Return), func(o *ordersv1.Order) { o.Currency = currency })
		claim := d.claimOn(t, order, stacktest.Return, stacktest.Because("change_of_mind"))
		require.Equal(t, want, *claim.ClaimShippingFee, currency)
	}
}
