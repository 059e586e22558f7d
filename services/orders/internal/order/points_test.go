package order_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/services/orders/internal/order"
)

// part returns a seller's part of an order: a line of one piece for each amount.
func part(points int64, paid ...int64) order.Part {
	p := order.Part{Charges: order.Charges{PointUsed: points}}
	for _, amount := range paid {
		p.Lines = append(p.Lines, order.Line{Quantity: 1, UnitPrice: amount})
	}
	return p
}

// The split of a refund into points and money depends on the allocation of points.
func TestPoints(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		what string
		part order.Part
		want []int64
	}{
		{"none", part(0, 100, 200), []int64{0, 0}},
		{"in proportion", part(300, 100, 200, 300), []int64{50, 100, 150}},
		{"the last line takes the rest", part(100, 100, 100, 100), []int64{33, 33, 34}},
		{"one line", part(4000, 10_000), []int64{4000}},
		{"more than the lines cost", part(5000, 1000, 2000), []int64{1000, 2000}},
		{"the last line cannot take the rest", part(2, 2, 2, 0), []int64{1, 1, 0}},
		{"nor can the one before it", part(2, 1, 1, 1, 0), []int64{0, 1, 1, 0}},
		{"the rest of a line that was free", part(1, 3, 0), []int64{1, 0}},
		{"lines that cost nothing", part(10, 0, 0), []int64{0, 0}},
		{"no lines", part(10), []int64{}},
		{
			"as much as there can be", part(order.MaxAmount, order.MaxAmount, order.MaxAmount),
			[]int64{order.MaxAmount / 2, order.MaxAmount / 2},
		},
	} {
		require.Equal(t, row.want, row.part.Points(), row.what)
	}
}

// Whatever was bought with however many points: no point is lost, no line gets more than was paid for it, and shipping gets the
// remainder.
func TestPointsAreAllocatedExactly(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := part(rapid.OneOf(rapid.Int64Range(0, 100), rapid.Int64Range(0, order.MaxAmount)).Draw(t, "points"),
			rapid.SliceOfN(rapid.OneOf(rapid.Int64Range(0, 9), rapid.Int64Range(0, order.MaxAmount)), 1, 200).Draw(t, "paid")...)
		seller := order.LockedSeller{
			ID: uuid.New(), PointUsed: p.Charges.PointUsed, ShippingFeePaid: rapid.Int64Range(0, 5000).Draw(t, "shipping"),
		}
		o := &order.Locked{Sellers: []order.LockedSeller{seller}}
		var paid, shared int64
		points := p.Points()
		for i := range p.Lines {
			amount := p.Lines[i].UnitPrice
			require.GreaterOrEqual(t, points[i], int64(0))
			require.LessOrEqual(t, points[i], amount)
			paid, shared = paid+amount, shared+points[i]
			o.Items = append(o.Items, order.LockedItem{SellerID: seller.ID, Item: order.Item{Prices: p.Lines[i].Prices()}})
		}
		require.Equal(t, min(p.Charges.PointUsed, paid), shared)
		require.Equal(t, min(p.Charges.PointUsed-shared, seller.ShippingFeePaid), o.ShippingPoints(seller.ID))
	})
}
