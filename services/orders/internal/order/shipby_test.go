package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/orders/internal/order"
)

func shipBy(at time.Time, item order.LockedItem) order.LockedItem {
	item.ShipBy = at
	return item
}

// firstOf returns by when the seller's first item should be shipped.
func firstOf(o *order.Locked) time.Time { return o.Standing(&order.Plan{}).Sellers[0].ShipBy }

// The time is set, moved and taken away while an item can still be shipped, and stays as it is afterwards. The same time again
// changes nothing. A claim and the gate of an exchange do not matter.
func TestSetShipBy_itemInEachState(t *testing.T) {
	t.Parallel()
	for _, state := range order.VisibleStates() {
		for _, before := range []time.Time{{}, now} {
			for _, at := range []time.Time{{}, now, now.Add(time.Hour)} {
				o := locked(shipBy(before, itemIn(state)))
				plan, err := o.SetShipBy(ids(1), at)
				require.NoError(t, err)
				toShip := state == order.Paid || state == order.Preparing
				require.Equal(t, toShip && before != at, plan.Stamps(), state)
				require.Empty(t, plan.Entered)
				if plan.Stamps() {
					o = apply(o, plan)
					require.Equal(t, at, o.Items[0].ShipBy)
					require.Equal(t, at, firstOf(o))
				}
			}
		}
	}
	o := locked(standIn(order.GateFrozen, itemIn(order.Paid)), heldBy("C-1", itemIn(order.Preparing)))
	plan, err := o.SetShipBy(ids(1, 2, 3), now)
	require.NoError(t, err)
	require.Len(t, plan.Changed, 3, "items of any seller")
	_, err = o.SetShipBy(ids(1, 9), now)
	require.ErrorIs(t, err, apierr.OrderItemNotFound)
}

// Of a seller's items the earliest time counts, of those that are still to be shipped.
func TestStanding_firstShipBy(t *testing.T) {
	t.Parallel()
	hour := func(n int) time.Time { return now.Add(time.Duration(n) * time.Hour) }
	o := locked(shipBy(hour(1), itemIn(order.Shipping)), shipBy(hour(3), itemIn(order.Paid)),
		shipBy(hour(2), itemIn(order.Preparing)), itemIn(order.Paid), shipBy(hour(0), itemIn(order.Canceled)))
	require.Equal(t, hour(2), firstOf(o))
	require.Zero(t, o.Standing(&order.Plan{}).Sellers[1].ShipBy, "the other seller's item has none")
	done, err := o.Ship(sellerA, ids(3), parcel)
	require.NoError(t, err)
	o = apply(o, done.Plan)
	require.Equal(t, hour(3), firstOf(o))
	corrected, err := o.Correct(ids(1)[0], order.Correction{To: order.Preparing}, order.DefaultTerms())
	require.NoError(t, err)
	require.Equal(t, hour(1), firstOf(apply(o, corrected)), "an item that is to be shipped again has its time again")
}

// The rest of an item that a partial cancel splits keeps its time, the canceled part has none to show; what an exchange sends has
// none until the marketplace sets it.
func TestShipBy_splitAndExchange(t *testing.T) {
	t.Parallel()
	o := locked(shipBy(now, itemIn(order.Paid)))
	h := hold("C-1", order.ClaimCancel, 1)
	opened, err := o.Open(h)
	require.NoError(t, err)
	o = apply(o, opened.Plan)
	settled, plan, err := o.Settle(h, order.DefaultTerms(), newIDs())
	require.NoError(t, err)
	o = apply(o, plan)
	require.Equal(t, now, o.Items[0].ShipBy)
	require.Equal(t, now, firstOf(o))
	require.False(t, o.Item(settled.Items[0].SettledItemID).State.Shows().ShipBy)

	o = locked(shipBy(now, itemIn(order.Delivered)))
	h = hold("C-2", order.ClaimExchange, 3)
	opened, err = o.Open(h)
	require.NoError(t, err)
	o = apply(o, opened.Plan)
	exchange, plan, err := o.AddExchangeLine(h, []order.Replacement{{ItemID: itemID(1), OptionName: "L", Paid: 37_700}}, newIDs())
	require.NoError(t, err)
	o = apply(o, plan)
	require.Zero(t, firstOf(o))
	replacing := exchange.Items[0].ExchangeItemID
	plan, err = o.SetShipBy([]string{replacing.String()}, now)
	require.NoError(t, err)
	require.Equal(t, now, firstOf(apply(o, plan)))
}
