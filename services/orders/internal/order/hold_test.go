package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/orders/internal/order"
)

func open(t *testing.T, o *order.Locked, h *order.Hold) *order.Locked {
	t.Helper()
	opened, err := o.Open(h)
	require.NoError(t, err)
	return apply(o, opened.Plan)
}

func TestOpen_holdsItemsAndStopsConfirmation(t *testing.T) {
	t.Parallel()
	o := open(t, locked(itemIn(order.Delivered)), hold("C-1", order.ClaimReturn, 2))
	require.Equal(t, heldBy("C-1", withID(1, itemIn(order.Delivered))), o.Items[0])
	_, err := o.Open(hold("C-2", order.ClaimReturn, 1))
	require.ErrorIs(t, err, apierr.OrderItemHasActiveClaim)
	require.Equal(t, map[string]any{"items": []order.ItemProblem{{ItemID: ids(1)[0], State: order.Delivered}}},
		apierr.From(err).Data)
}

func withID(n int, item order.LockedItem) order.LockedItem {
	item.ID, item.Seq = itemID(n), n
	return item
}

// A claim is told whether it covers all that is left of the seller's part, and whether it precedes shipping.
func TestOpen_relatesToSellersPart(t *testing.T) {
	t.Parallel()
	two := hold("C-1", order.ClaimCancel, 3)
	two.Items = append(two.Items, order.HoldItem{ItemID: itemID(2), Quantity: 3})
	standsIn := standIn(order.GateEnded, itemIn(order.Paid))
	for name, c := range map[string]struct {
		order  *order.Locked
		hold   *order.Hold
		wanted order.Opened
	}{
		"whole remainder": {
			locked(itemIn(order.Paid), itemIn(order.Preparing)), two,
			order.Opened{WholeRemainder: true, BeforeShipping: true, SellerQuantity: 6},
		},
		"part of an item": {
			locked(itemIn(order.Paid)), hold("C-1", order.ClaimCancel, 2),
			order.Opened{BeforeShipping: true, SellerQuantity: 3},
		},
		"remainder after a cancel": {
			locked(itemIn(order.Paid), itemIn(order.Canceled)), hold("C-1", order.ClaimCancel, 3),
			order.Opened{WholeRemainder: true, BeforeShipping: true, SellerQuantity: 6},
		},
		"other item shipped": {
			locked(itemIn(order.Paid), itemIn(order.Shipping)), hold("C-1", order.ClaimCancel, 3),
			order.Opened{SellerQuantity: 6},
		},
		"other item returned": {
			locked(itemIn(order.Paid), itemIn(order.Returned)), hold("C-1", order.ClaimCancel, 3),
			order.Opened{WholeRemainder: true, SellerQuantity: 6},
		},
		"replacement item": {
			locked(standsIn, itemIn(order.Exchanged)), hold("C-1", order.ClaimCancel, 3),
			order.Opened{WholeRemainder: true, SellerQuantity: 3},
		},
	} {
		opened, err := c.order.Open(c.hold)
		require.NoError(t, err, name)
		opened.Plan = order.Plan{}
		require.Equal(t, c.wanted, opened, name)
	}
}

func TestOpen_refusesTooManyAndForeignItems(t *testing.T) {
	t.Parallel()
	o := locked(itemIn(order.Paid))
	for quantity, allowed := range map[int64]bool{-1: false, 0: false, 1: true, 3: true, 4: false} {
		_, err := o.Open(hold("C-1", order.ClaimCancel, quantity))
		if allowed {
			require.NoError(t, err)
			continue
		}
		require.ErrorIs(t, err, apierr.ClaimNotApprovable)
		require.Equal(t, "quantity", apierr.From(err).Data["reason"])
	}
	foreign := hold("C-1", order.ClaimCancel, 1)
	foreign.Items[0].ItemID = itemID(2)
	_, err := o.Open(foreign)
	require.ErrorIs(t, err, apierr.OrderItemNotFound)
}

// After a claim without effect the customer has at least one more day before the purchase confirms itself.
func TestRelease_givesCustomerADayMore(t *testing.T) {
	t.Parallel()
	terms := order.DefaultTerms()
	for name, c := range map[string]struct{ delivered, wanted time.Time }{
		"period longer than a day":  {now.Add(-24 * time.Hour), now.Add(7 * 24 * time.Hour)},
		"period shorter than a day": {now.Add(-8*24*time.Hour + time.Hour), now.Add(24 * time.Hour)},
		"period is over":            {now.Add(-30 * 24 * time.Hour), now.Add(24 * time.Hour)},
	} {
		item := heldBy("C-1", itemIn(order.Delivered))
		item.DeliveredAt = c.delivered
		o, h := locked(item), hold("C-1", order.ClaimReturn, 1)
		ended, plan, _ := o.Release(h, terms)
		require.Equal(t, order.HoldReleased, ended.State, name)
		require.Equal(t, c.wanted, plan.Changed[0].AutoConfirmAt, name)
		require.False(t, plan.Changed[0].HasActiveClaim, name)

		again, plan, _ := apply(o, plan).Release(&ended, terms)
		require.Equal(t, ended, again)
		require.False(t, plan.Stamps(), "a repetition changes nothing")
	}
}

// A completed claim on all pieces changes the state of the item itself.
func TestSettle_allPiecesMoveTheItem(t *testing.T) {
	t.Parallel()
	for claim, c := range map[order.ClaimType]struct{ from, to order.State }{
		order.ClaimCancel: {order.Preparing, order.Canceled}, order.ClaimReturn: {order.Delivered, order.Returned},
	} {
		h := hold("C-1", claim, 3)
		o := locked(heldBy("C-1", itemIn(c.from)))
		settled, plan, err := o.Settle(h, order.DefaultTerms(), newIDs())
		require.NoError(t, err)
		require.Equal(t, itemID(1), settled.Items[0].SettledItemID)
		require.Equal(t, []order.ItemStateChange{{SellerID: sellerA, ItemID: itemID(1), To: c.to, At: now}}, plan.Entered)
		after := apply(o, plan).Items[0]
		require.Equal(t, c.to, after.State)
		require.False(t, after.HasActiveClaim)
		requireFields(t, &after)
		require.Empty(t, plan.Added)

		again, plan, err := apply(o, plan).Settle(&settled, order.DefaultTerms(), newIDs())
		require.NoError(t, err)
		require.Equal(t, settled, again)
		require.False(t, plan.Stamps(), "a repetition changes nothing")
	}
}

// A partial claim splits the item: the remainder keeps its id and code, and the amounts add up.
func TestSettle_partialClaimSplitsItem(t *testing.T) {
	t.Parallel()
	item := heldBy("C-1", itemIn(order.Delivered))
	item.Prices = order.Prices{List: 400, Unit: 334, Line: 1002, Discount: 2, Paid: 1000}
	o, h := locked(item), hold("C-1", order.ClaimReturn, 2)
	settled, plan, err := o.Settle(h, order.DefaultTerms(), newIDs())
	require.NoError(t, err)
	require.Len(t, plan.Added, 1)
	part, rest := plan.Added[0], plan.Changed[0]

	require.Equal(t, itemID(1), rest.ID, "the remainder keeps its ID")
	require.Equal(t, 1, rest.Seq, "the remainder keeps its code")
	require.Equal(t, int64(1), rest.Quantity)
	require.Equal(t, order.Prices{List: 400, Unit: 334, Line: 334, Discount: 0, Paid: 334}, rest.Prices)
	require.Equal(t, order.Delivered, rest.State)
	require.False(t, rest.HasActiveClaim)
	require.Equal(t, now.Add(24*time.Hour), rest.AutoConfirmAt, "the period since delivery is over")

	require.Equal(t, settled.Items[0].SettledItemID, part.ID)
	require.Equal(t, 3, part.Seq, "the next code of the whole order")
	require.Equal(t, int64(2), part.Quantity)
	require.Equal(t, order.Prices{List: 400, Unit: 334, Line: 668, Discount: 2, Paid: 666}, part.Prices)
	require.Equal(t, order.Returned, part.State)
	require.Equal(t, itemID(1), part.OriginID)
	require.Equal(t, "C-1", part.SplitFromClaimNo)
	require.Equal(t, item.TrackingNo, part.TrackingNo)
	require.Equal(t, item.ShippedAt, part.ShippedAt)
	require.Zero(t, part.AutoConfirmAt)
	require.Equal(t, []order.ItemStateChange{{SellerID: sellerA, ItemID: part.ID, To: order.Returned, At: now}}, plan.Entered)
}

// A claim cannot complete if it does not hold its items or their state does not allow it.
func TestSettle_itemsCannotGoThere(t *testing.T) {
	t.Parallel()
	gone := locked(itemIn(order.Delivered))
	moved := locked(heldBy("C-1", itemIn(order.Shipping)))
	other := locked(heldBy("C-2", itemIn(order.Delivered)))
	for name, c := range map[string]struct {
		order  *order.Locked
		change func(*order.Hold)
		reason string
	}{
		"hold removed from the item":  {gone, func(*order.Hold) {}, "hold"},
		"item changed by an operator": {moved, func(*order.Hold) {}, "state"},
		"item held by another claim":  {other, func(*order.Hold) {}, "hold"},
		"hold released":               {locked(itemIn(order.Delivered)), func(h *order.Hold) { h.State = order.HoldReleased }, "hold"},
		"hold converted to a return":  {other, func(h *order.Hold) { h.State = order.HoldConverted }, "hold"},
		"hold of an exchange": {
			locked(heldBy("C-1", itemIn(order.Delivered))),
			func(h *order.Hold) { h.Type = order.ClaimExchange }, "type",
		},
		"item not in the order": {locked(), func(*order.Hold) {}, "hold"},
	} {
		h := hold("C-1", order.ClaimReturn, 1)
		c.change(h)
		_, plan, err := c.order.Settle(h, order.DefaultTerms(), newIDs())
		require.ErrorIs(t, err, apierr.ClaimNotApprovable, name)
		require.Equal(t, c.reason, apierr.From(err).Data["reason"], name)
		require.False(t, plan.Stamps(), name)
		_, plan, err = c.order.Touch(h, true)
		require.Equal(t, c.reason == "type", err == nil, name)
		require.Equal(t, err == nil, plan.Stamps(), name)
		if err != nil {
			require.ErrorIs(t, err, apierr.ClaimNotApprovable, name)
			require.Equal(t, c.reason, apierr.From(err).Data["reason"], name)
		}
	}
}

// A touch stamps the order and changes nothing else.
func TestTouch_stampsOrderOnly(t *testing.T) {
	t.Parallel()
	o := locked(heldBy("C-1", itemIn(order.Delivered)))
	for _, whileHeld := range []bool{true, false} {
		held := hold("C-1", order.ClaimReturn, 3)
		next, plan, err := o.Touch(held, whileHeld)
		require.NoError(t, err)
		require.Equal(t, *held, next)
		require.True(t, plan.Stamps())
		require.Empty(t, plan.Changed)
	}
}

func TestReopen_onlyTheSameWhileHeld(t *testing.T) {
	t.Parallel()
	base := hold("C-1", order.ClaimReturn, 2)
	require.NoError(t, base.Reopen(hold("C-1", order.ClaimReturn, 2)))
	for name, change := range map[string]func(*order.Hold){
		"number": func(h *order.Hold) { h.ClaimNo = "C-2" }, "type": func(h *order.Hold) { h.Type = order.ClaimExchange },
		"seller": func(h *order.Hold) { h.SellerID = sellerB }, "quantity": func(h *order.Hold) { h.Items[0].Quantity = 1 },
		"item": func(h *order.Hold) { h.Items[0].ItemID = itemID(2) }, "items": func(h *order.Hold) { h.Items = nil },
	} {
		other := hold("C-1", order.ClaimReturn, 2)
		change(other)
		err := base.Reopen(other)
		require.ErrorIs(t, err, apierr.ClaimNotApprovable, name)
		require.Equal(t, "lines", apierr.From(err).Data["reason"])
	}
	for _, state := range []order.HoldState{order.HoldReleased, order.HoldSettled, order.HoldConverted} {
		ended := hold("C-1", order.ClaimReturn, 2)
		ended.State = state
		err := ended.Reopen(base)
		require.ErrorIs(t, err, apierr.ClaimNotApprovable, state)
		require.Equal(t, "hold", apierr.From(err).Data["reason"])
	}
}
