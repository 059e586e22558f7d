package lines_test

import (
	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// points are scenarios of orders that the customer paid in part with points.
func points() []scenario {
	return []scenario{
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
