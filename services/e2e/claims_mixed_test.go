package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// mixedOrder places an order of two sellers. The first one's goods have been delivered, the other's are being shipped.
func mixedOrder(t *testing.T, d, other *session) *ordersv1.Order {
	t.Helper()
	order := d.PlaceNew(t, d.seller.ID, stacktest.Lines(goods(3, 9900, 1000)), stacktest.Claimable(stacktest.Exchange),
		stacktest.With(other.seller.ID))
	id := order.GetSellers()[1].GetLines()[0].GetItemId()
	require.Equal(t, "shipping", other.done(t, "shipment", order.GetOrderNo(), shipped(id)).Items[0].ItemStatus)
	return order
}

// requireOnlyStamped checks that nothing has changed in another seller's view of an order except updated_at and the status,
// which is computed over all lines.
func requireOnlyStamped(t *testing.T, other *session, was stacktest.Order, status string) stacktest.Order {
	t.Helper()
	now := other.awaitOrder(t, was.OrderNo, "the change stamps it",
		func(o stacktest.Order) bool { return o.UpdatedAt > was.UpdatedAt })
	was.UpdatedAt, was.OrderStatus = now.UpdatedAt, status
	require.Equal(t, was, now)
	return now
}

// A claim changes only the lines of its own seller. The other seller of the order sees that something has changed, and the
// roll-up over the lines of all sellers.
func TestClaim_mixedOrderOwnLinesOnly(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	order := mixedOrder(t, d, other)
	theirs := other.order(t, order.GetOrderNo())
	require.Equal(t, "shipping", theirs.OrderStatus)
	claim := d.claimOn(t, order, stacktest.Exchange, stacktest.Pieces(1))
	require.Len(t, claim.Items, 1)
	theirs = requireOnlyStamped(t, other, theirs, "shipping")
	for _, step := range exchangeWay {
		d.acted(t, claim.ClaimNo, step.action, requestBody(step.action))
		status := "shipping"
		if step.status == "reshipping" {
			status = "paid" // the new line is the least advanced of all
		}
		theirs = requireOnlyStamped(t, other, theirs, status)
	}
	d.advance(t, d.claimOn(t, order, stacktest.Return, stacktest.Pieces(1)), "completed")
	theirs = requireOnlyStamped(t, other, theirs, "partially_claimed")
	require.Len(t, theirs.Items, 1)
	require.Empty(t, stacktest.RequireOK[stacktest.Page[stacktest.Claim]](t,
		other.client.Do(t, stacktest.Get("", "/open/v1/claims"))).List)
	result := other.done(t, "delivery", order.GetOrderNo(), of(theirs.Items[0].ItemID))
	require.Equal(t, "partially_claimed", result.OrderStatus)
	codes := map[string]bool{theirs.Items[0].ItemCode: true}
	for _, item := range d.order(t, order.GetOrderNo()).Items {
		require.False(t, codes[item.ItemCode], "codes are the order's, not a seller's")
		codes[item.ItemCode] = true
	}
	require.Len(t, codes, 5)
}
