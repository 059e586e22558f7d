package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// One line, claimed piece by piece in three ways: every part is split off with a new id and the next code when its claim
// completes, the rest keeps both, and pieces and money are conserved to the won.
func TestSplitLine_claimedPieceByPiece(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	placed := stacktest.NewOrder(d.seller.ID, stacktest.Lines(goods(9, 9901, 1003)))
	d.Place(t, placed)
	origin := d.order(t, placed.GetOrderNo()).Items[0]
	refunded := int64(0)
	take := func(kind string, pieces int64) {
		t.Helper()
		claim := d.claimOn(t, placed, kind, stacktest.Pieces(pieces))
		require.Equal(t, origin.ItemID, claim.Items[0].ItemID, "nothing is split before the claim completes")
		claim = d.advance(t, claim, "completed")
		items := d.order(t, claim.OrderNo).Items
		part := items[len(items)-1]
		require.Equal(t, []any{origin.ItemCode, part.ItemID, pieces},
			[]any{claim.Items[0].ItemCode, claim.Items[0].ItemID, part.Quantity})
		require.NotEqual(t, origin.ItemID, part.ItemID)
		if claim.RefundAmount != nil {
			refunded += *claim.RefundAmount
		}
	}
	take(stacktest.Cancel, 2)
	take(stacktest.Cancel, 1)
	for _, call := range singleCalls {
		require.Equal(t, call.to, d.done(t, call.action, placed.GetOrderNo(), call.body(origin.ItemID)).Items[0].ItemStatus)
	}
	take(stacktest.Return, 1)
	take(stacktest.Exchange, 2)
	take(stacktest.Return, 2)
	order := d.order(t, placed.GetOrderNo())
	require.Equal(t, []string{"delivered", "canceled", "canceled", "returned", "shipping", "exchanged", "returned"}, states(order))
	require.Equal(t, "partially_claimed", order.OrderStatus)

	rest := d.advance(t, d.claimOn(t, placed, stacktest.Return, stacktest.Pieces(1)), "completed")
	require.Equal(t, origin.ItemID, rest.Items[0].ItemID, "the last piece keeps the line's ID")
	sum, replacement := origin, int64(0)
	sum.Quantity, sum.LineAmount, sum.DiscountAmount, sum.LinePaidAmount = 0, 0, 0, 0
	for i, item := range d.order(t, placed.GetOrderNo()).Items {
		require.Equal(t, fmt.Sprintf("%s-%02d", placed.GetOrderNo(), i+1), item.ItemCode, "codes have no gap")
		require.Equal(t, item.LinePaidAmount, item.LineAmount-item.DiscountAmount)
		if item.IsExchange {
			replacement = item.LinePaidAmount
			continue
		}
		sum.Quantity += item.Quantity
		sum.LineAmount, sum.DiscountAmount = sum.LineAmount+item.LineAmount, sum.DiscountAmount+item.DiscountAmount
		sum.LinePaidAmount += item.LinePaidAmount
	}
	require.Equal(t, origin, sum)
	require.Equal(t, origin.LinePaidAmount, refunded+*rest.RefundAmount+replacement, "the last claim takes the rest, to the won")
}
