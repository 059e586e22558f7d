package e2e

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// mixedOrder places an order of two sellers. The first one's goods have been delivered, the other's are being shipped.
func mixedOrder(t *testing.T, d, other *session) *ordersv1.Order {
	t.Helper()
	order := d.PlaceNew(t, d.seller.ID, stacktest.Lines(goods(3, 9900, 1000)), stacktest.Claimable(stacktest.Exchange), stacktest.With(other.seller.ID))
	id := order.GetSellers()[1].GetLines()[0].GetItemId()
	require.Equal(t, "shipping", other.done(t, "shipment", order.GetOrderNo(), shipped(id)).Items[0].ItemStatus)
	return order
}

// requireOnlyStamped checks that nothing has changed in another seller's view of an order except updated_at and the status,
// which is computed over all lines.
func requireOnlyStamped(t *testing.T, other *session, was stacktest.Order, status string) stacktest.Order {
	t.Helper()
	now := other.awaitOrder(t, was.OrderNo, "the change stamps it", func(o stacktest.Order) bool { return o.UpdatedAt > was.UpdatedAt })
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
	require.Empty(t, stacktest.RequireOK[stacktest.Page[stacktest.Claim]](t, other.client.Do(t, stacktest.Get("", "/open/v1/claims"))).List)
	result := other.done(t, "delivery", order.GetOrderNo(), of(theirs.Items[0].ItemID))
	require.Equal(t, "partially_claimed", result.OrderStatus)
	codes := map[string]bool{theirs.Items[0].ItemCode: true}
	for _, item := range d.order(t, order.GetOrderNo()).Items {
		require.False(t, codes[item.ItemCode], "codes are the order's, not a seller's")
		codes[item.ItemCode] = true
	}
	require.Len(t, codes, 5)
}

// Another seller's claim is not visible: every call on it gets byte for byte the response for an unknown claim.
func TestClaim_otherSellersNotFound(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	claim := d.claimOn(t, mixedOrder(t, d, other), stacktest.Exchange)
	before := d.claimText(t, claim.ClaimNo)
	ask := func(no, action string) string {
		call := stacktest.Get("", "/open/v1/claims/"+no)
		if action != "" {
			call = actOn(t, no, action, requestBody(action))
		}
		answer := other.client.Do(t, fixed(call))
		stacktest.RequireFailure(t, answer, http.StatusNotFound, "CLAIM_NOT_FOUND")
		return string(answer.Body)
	}
	for _, action := range append([]string{""}, claimActions...) {
		require.Equal(t, ask(stacktest.NewClaimNo(), action), ask(claim.ClaimNo, action), action)
	}
	require.Equal(t, before, d.claimText(t, claim.ClaimNo))
}

// A claim can name only lines of its own seller; another's are not found, and nothing is held.
func TestClaimRequest_otherSellersLine(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	order := mixedOrder(t, d, other)
	own, theirs := order.GetSellers()[0].GetLines()[0].GetItemId(), order.GetSellers()[1].GetLines()[0].GetItemId()
	stranger := stacktest.NewOrder(d.seller.ID, stacktest.Claimable(stacktest.Return))
	d.Place(t, stranger)
	elsewhere := stranger.GetSellers()[0].GetLines()[0].GetItemId()
	before := d.text(t, order.GetOrderNo())
	for seller, ids := range map[string][]string{d.seller.ID: {theirs, elsewhere, uuid.NewString()}, other.seller.ID: {own}} {
		for _, id := range ids {
			_, err := stacktest.Try(t, d.Claims.RequestClaim, &claimsv1.RequestClaimRequest{
				ClaimNo: stacktest.NewClaimNo(), SellerId: seller, OrderNo: order.GetOrderNo(), Type: stacktest.Return, ReasonCode: "defective",
				Items: []*claimsv1.ClaimItem{{ItemId: id, Quantity: 1}},
			})
			requireRefusal(t, err, "ORDER_ITEM_NOT_FOUND")
		}
	}
	require.Equal(t, before, d.text(t, order.GetOrderNo()))
}

// Both sellers of an order lose all their lines, each by a separate claim: the order is canceled with the last one, and each
// seller refunds its own shipping fee.
func TestClaim_lastOneCancelsOrder(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	order := d.PlaceNew(t, d.seller.ID, stacktest.With(other.seller.ID))
	mine := d.claimOn(t, order, stacktest.Cancel, stacktest.Because("change_of_mind"))
	request := stacktest.NewClaim(stacktest.Cancel, &ordersv1.Order{OrderNo: order.GetOrderNo(), Sellers: order.GetSellers()[1:]})
	other.RequestClaim(t, request)
	d.acted(t, mine.ClaimNo, "approve", nil)
	mine = d.client.AwaitClaim(t, mine.ClaimNo, "completed")
	require.EqualValues(t, 24800+3000, *mine.RefundAmount, "everything of this seller's was canceled before it was shipped")
	require.Equal(t, "partially_claimed", other.awaitOrder(t, order.GetOrderNo(), "the first cancel shows", func(o stacktest.Order) bool {
		return o.OrderStatus != "paid"
	}).OrderStatus)
	require.Equal(t, []string{"paid"}, states(other.order(t, order.GetOrderNo())))
	other.acted(t, request.GetClaimNo(), "approve", nil)
	theirs := other.client.AwaitClaim(t, request.GetClaimNo(), "completed")
	require.EqualValues(t, 24800+3000, *theirs.RefundAmount)
	for _, seller := range []*session{d, other} {
		seen := seller.awaitOrder(t, order.GetOrderNo(), "all is canceled", func(o stacktest.Order) bool { return o.OrderStatus == "canceled" })
		require.Equal(t, []string{"canceled"}, states(seen))
	}
}
