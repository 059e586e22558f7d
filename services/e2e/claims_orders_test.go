package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// Clients poll orders by updated_at: every change of a claim advances it, and the list and the detail show the
// changed order.
func TestClaim_everyChangeMovesOrder(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	placed := d.PlaceNew(t, d.seller.ID, stacktest.Claimable(stacktest.Return))
	before := d.order(t, placed.GetOrderNo())
	moved := func(what string, isHeld bool) {
		t.Helper()
		after := d.awaitOrder(t, before.OrderNo, what+" moves it", func(o stacktest.Order) bool { return o.UpdatedAt > before.UpdatedAt })
		require.Equal(t, isHeld, after.Items[0].HasActiveClaim, what)
		found := d.client.List(t, "10", "updated_at_gte", after.UpdatedAt).List
		require.Contains(t, orderNos(found), before.OrderNo, what)
		before = after
	}
	claim := d.claimOn(t, placed, stacktest.Return)
	moved("the request", true)
	for _, step := range claimSteps[:3] {
		d.acted(t, claim.ClaimNo, step.action, step.body)
		moved(step.action, true)
	}
	d.FreezeClaim(t, claim.ClaimNo, "분쟁")
	moved("a freeze", true)
	d.UnfreezeClaim(t, claim.ClaimNo)
	moved("its end", true)
	d.HoldInspection(t, claim.ClaimNo)
	moved("a manual review", true)
	d.Payments.Tell(claim.ClaimNo, stacktest.NeedsAccount)
	d.ActAsOperator(t, claim.ClaimNo, "inspect", "", "")
	moved("the inspection", true)
	d.Payments.Tell(claim.ClaimNo, stacktest.Paid)
	d.AskAgain(t, claim.ClaimNo)
	done := d.client.AwaitClaim(t, claim.ClaimNo, "completed")
	moved("the completion", false)
	require.Equal(t, "returned", before.Items[0].ItemStatus)
	d.awaitOrder(t, before.OrderNo, "it is moved after the claim was", func(o stacktest.Order) bool { return o.UpdatedAt > done.UpdatedAt })

	other := d.PlaceNew(t, d.seller.ID, stacktest.Claimable(stacktest.Return))
	before = d.order(t, other.GetOrderNo())
	claim = d.claimOn(t, other, stacktest.Return)
	moved("the request", true)
	d.WithdrawClaim(t, claim.ClaimNo)
	moved("a withdrawal", false)
	claim = d.claimOn(t, other, stacktest.Return)
	moved("the next request", true)
	d.acted(t, claim.ClaimNo, "reject", rejection())
	moved("a rejection", false)
	require.Equal(t, "delivered", before.Items[0].ItemStatus)
}

// The seller cannot process a line under a claim, but the other lines of the order.
func TestClaim_barsItsLinesOnly(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	order := d.PlaceNew(t, d.seller.ID, lines(2))
	orderNo := order.GetOrderNo()
	ids := []string{order.GetSellers()[0].GetLines()[0].GetItemId(), order.GetSellers()[0].GetLines()[1].GetItemId()}
	claim := d.claimOn(t, order, stacktest.Cancel, stacktest.OnlyLines(ids[0]))
	read := d.order(t, orderNo)
	require.Equal(t, []bool{true, false}, []bool{read.Items[0].HasActiveClaim, read.Items[1].HasActiveClaim})
	require.Equal(t, "paid", read.OrderStatus, "a claim in progress does not change it")
	d.refused(t, "shipment", orderNo, shipped(ids...), http.StatusConflict, "ORDER_ITEM_HAS_ACTIVE_CLAIM")
	require.Equal(t, "shipping", d.done(t, "shipment", orderNo, shipped(ids[1])).Items[0].ItemStatus)
	d.advance(t, claim, "completed")
	order2 := d.awaitOrder(t, orderNo, "the line is canceled", lineIs("canceled"))
	require.Equal(t, []string{"canceled", "shipping"}, states(order2))
	require.Equal(t, "partially_claimed", order2.OrderStatus)
	require.Contains(t, orderNos(d.client.List(t, "10", "order_status", "partially_claimed").List), orderNo)
	d.refused(t, "shipment", orderNo, shipped(ids[0]), http.StatusConflict, "ORDER_ITEM_NOT_SHIPPABLE")
	require.Equal(t, "delivered", d.done(t, "delivery", orderNo, of(ids[1])).Items[0].ItemStatus)
}

// A completed claim leaves the line and its amounts as they were sold: only the state changes.
func TestCompletedClaim_changesStateOnly(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for kind, state := range map[string]string{stacktest.Cancel: "canceled", stacktest.Return: "returned"} {
		began := time.Now().Add(-time.Second)
		order := d.PlaceNew(t, d.seller.ID, stacktest.Claimable(kind))
		want := d.order(t, order.GetOrderNo())
		d.advance(t, d.claimOn(t, order, kind), "completed")
		got := d.awaitOrder(t, order.GetOrderNo(), "the line has ended", lineIs(state))
		want.OrderStatus, want.UpdatedAt = "canceled", got.UpdatedAt
		want.Items[0].ItemStatus, want.Items[0].LogisticsCompany = state, nil
		require.Equal(t, want, got)
		require.Equal(t, []string{order.GetOrderNo()}, d.entered(t, state, began))
		require.Contains(t, orderNos(d.client.List(t, "10", "item_status", state).List), order.GetOrderNo())
	}
}

// A purchase cannot be confirmed under a claim, neither by the customer nor automatically.
func TestConfirmation_notUnderClaim(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim := d.newClaim(t, stacktest.Return)
	_, err := d.confirm(t, claim.OrderNo, claim.Items[0].ItemID)
	stacktest.RequireRefusal(t, err, "ORDER_ITEM_HAS_ACTIVE_CLAIM")
	d.acted(t, claim.ClaimNo, "reject", rejection())
	d.awaitOrder(t, claim.OrderNo, "the line is free", lineIs("delivered"))
	changed, err := d.confirm(t, claim.OrderNo, claim.Items[0].ItemID)
	require.NoError(t, err)
	require.True(t, changed)
}
