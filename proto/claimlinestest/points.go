package claimlinestest

import (
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// points are scenarios of orders that the customer paid in part with points.
func points() []scenario {
	return []scenario{
		{"of_lines", nil, dividesPointsAmongLines},
		{"of_shipping", nil, leavesPointsToShipping},
		{"of_exchange_lines", nil, exchangesPoints},
		{"too_many", []NewLine{in("delivered", 2)}, func(b *fixture) {
			b.open("C-1", exchange, b.pieces(0, 1))
			for _, points := range []int64{-1, UnitPrice + 1} {
				request := b.adding("C-1", 0)
				request.Lines[0].PointsAmount = points
				refuses(b, validationError("lines[0].points_amount"), b.AddExchangeLine, request)
			}
		}},
	}
}

// spend gives the fixture an order for which points were used.
func (b *fixture) spend(points int64, lines ...NewLine) {
	b.t.Helper()
	b.no, b.items = b.placed(points, lines...)
}

// dividesPointsAmongLines uses 7,001 points for lines of 14,999 and 9,999. Two of three pieces take two thirds
// of their line.
func dividesPointsAmongLines(b *fixture) {
	b.spend(7001, in("delivered", 3), in("delivered", 2))
	opened := b.open("C-1", giveBack, b.pieces(0, 2), b.pieces(1, 2))
	require.Equal(b.t, []int64{4200, 2801}, pointsOf(opened))
	require.Zero(b.t, opened.GetShippingPoints())
	b.settle("C-1")
	require.Equal(b.t, []int64{1400}, pointsOf(b.open("C-2", giveBack, b.pieces(0, 1))), "the rest stays with what is left")
}

// leavesPointsToShipping uses more points than the lines cost.
func leavesPointsToShipping(b *fixture) {
	for more, want := range map[int64]int64{1: 1, ShippingFee: ShippingFee, 2 * ShippingFee: ShippingFee} {
		b.spend(2*UnitPrice-1+more, in("paid", 2))
		opened := b.open("C-1", cancel, b.pieces(0, 1))
		require.Equal(b.t, want, opened.GetShippingPoints())
		require.Equal(b.t, []int64{2*UnitPrice - 1}, pointsOf(opened))
	}
}

// exchangesPoints adds a replacement line with points that the caller specifies.
func exchangesPoints(b *fixture) {
	b.spend(3000, in("delivered", 1))
	b.open("C-1", exchange, b.pieces(0, 1))
	request := b.adding("C-1", 0)
	request.Lines[0].PointsAmount = 2400
	fresh := does(b, b.AddExchangeLine, request).GetExchangeItemIds()[0]
	b.reship("C-1", parcelA)
	b.correct(fresh, "delivered")
	opened := b.open("C-2", giveBack, &ordersv1.ClaimedLine{ItemId: fresh, Quantity: 1})
	require.Equal(b.t, []int64{2400}, pointsOf(opened))
	require.Zero(b.t, opened.GetShippingPoints())
}

func pointsOf(opened *ordersv1.OpenResponse) []int64 {
	amounts := make([]int64, 0, len(opened.GetLines()))
	for _, line := range opened.GetLines() {
		amounts = append(amounts, line.GetPointsAmount())
	}
	return amounts
}
