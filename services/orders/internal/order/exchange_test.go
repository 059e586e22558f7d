package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
)

// exchange returns an order with an exchange of some pieces of its first item, for which the replacing item exists.
func exchange(t *testing.T, quantity int64) (*order.Locked, order.Hold) {
	t.Helper()
	o, h := locked(heldBy("C-1", itemIn(order.Delivered))), hold("C-1", order.ClaimExchange, quantity)
	replaced, plan, err := o.AddExchangeLine(h, replacements(), newIDs())
	require.NoError(t, err)
	return apply(o, plan), replaced
}

func replacements() []order.Replacement {
	return []order.Replacement{{ItemID: itemID(1), OptionName: "화이트 / L", Paid: 26_000}}
}

// The replacing item is a new, paid item of the same product.
func TestReplacingItem_newPaidSameProduct(t *testing.T) {
	t.Parallel()
	o, h := exchange(t, 2)
	require.Equal(t, order.LockedItem{
		Item: order.Item{
			ID: h.Items[0].ExchangeItemID, Seq: 3, ProductName: "순면 티셔츠", OptionName: "화이트 / L", Quantity: 2,
			// Two of three pieces cost 25,800 and were paid with 25,133; the discount of 667 stays.
			Prices: order.Prices{List: 15_900, Unit: 13_333, Line: 26_667, Discount: 667, Paid: 26_000},
			State:  order.Paid, IsExchange: true, OriginID: itemID(1), ExchangeClaimNo: "C-1",
		},
		SellerID: sellerA, ProductID: "p-1", Gate: order.GateOpen,
	}, o.Items[2])
	require.Equal(t, order.StatusPaid, o.Status)
	require.True(t, o.Items[0].HasActiveClaim, "the exchanged goods stay held")

	again, plan, err := o.AddExchangeLine(&h, replacements(), newIDs())
	require.NoError(t, err)
	require.Equal(t, h, again)
	require.False(t, plan.Stamps(), "a repetition changes nothing")
}

// If the pieces cost the same as before, the replacing item has their exact unit price.
func TestReplacingItem_unitPriceIsExact(t *testing.T) {
	t.Parallel()
	o, h := locked(heldBy("C-1", itemIn(order.Delivered))), hold("C-1", order.ClaimExchange, 2)
	paid := int64(37_700 * 2 / 3)
	for _, difference := range []int64{0, 1000, -1000} {
		wanted := replacements()
		wanted[0].Paid = paid + 2*difference
		_, plan, err := o.AddExchangeLine(h, wanted, newIDs())
		require.NoError(t, err)
		prices := plan.Added[0].Prices
		require.Equal(t, 12_900+difference, prices.Unit)
		require.Equal(t, prices.Unit*2, prices.Line)
	}
}

// The replacing item has the price of its option. Its discount is what is not paid of that: the claimed pieces' one, unless it is
// more than the price.
func TestReplacingItem_priceOfOption(t *testing.T) {
	t.Parallel()
	o, h := locked(heldBy("C-1", itemIn(order.Delivered))), hold("C-1", order.ClaimExchange, 2)
	for _, row := range []struct{ unit, paid int64 }{{13_000, 25_333}, {300, 0}, {334, 1}, {order.MaxAmount / 2, order.MaxAmount}} {
		wanted := replacements()
		wanted[0].UnitPrice, wanted[0].Paid = row.unit, row.paid
		_, plan, err := o.AddExchangeLine(h, wanted, newIDs())
		require.NoError(t, err)
		require.Equal(t, order.Prices{
			List: 15_900, Unit: row.unit, Line: 2 * row.unit, Discount: 2*row.unit - row.paid, Paid: row.paid,
		}, plan.Added[0].Prices)
	}
	for _, row := range []struct{ unit, paid int64 }{{300, 601}, {order.MaxAmount/2 + 1, 0}, {order.MaxAmount, order.MaxAmount}} {
		wanted := replacements()
		wanted[0].UnitPrice, wanted[0].Paid = row.unit, row.paid
		_, plan, err := o.AddExchangeLine(h, wanted, newIDs())
		require.ErrorIs(t, err, apierr.ClaimNotInspectable)
		require.Equal(t, "replacement", apierr.From(err).Data["reason"])
		require.False(t, plan.Stamps())
	}
}

// The list price of the replacing item is the marketplace's price of the wanted option, or else that of the claimed one.
func TestReplacingItem_listPrice(t *testing.T) {
	t.Parallel()
	o, h := locked(heldBy("C-1", itemIn(order.Delivered))), hold("C-1", order.ClaimExchange, 2)
	for given, shown := range map[int64]int64{0: 15_900, 17_000: 17_000} {
		wanted := replacements()
		wanted[0].ListPrice = given
		_, plan, err := o.AddExchangeLine(h, wanted, newIDs())
		require.NoError(t, err)
		require.Equal(t, shown, plan.Added[0].Prices.List)
	}
}

// The replacing item names the item that it replaces: after completion, the one with the exchanged pieces.
func TestReplacingItem_origin(t *testing.T) {
	t.Parallel()
	for _, pieces := range []int64{2, 3} {
		o, h := exchange(t, pieces)
		settled, plan, err := o.ShipExchangeLine(&h, "R-1", parcel, order.DefaultTerms(), newIDs())
		require.NoError(t, err)
		o = apply(o, plan)
		item := o.Item(h.Items[0].ExchangeItemID)
		require.Equal(t, settled.Items[0].SettledItemID, item.OriginID)
		require.Equal(t, pieces == 3, item.OriginID == itemID(1), "a part is split off")
		require.Equal(t, "C-1", item.ExchangeClaimNo)
		require.Empty(t, item.SplitFromClaimNo)
	}
}

// A client that sees the exchange in reshipping can use the item, because it was created before. An item with a gate that this
// version does not write cannot be used until the exchange has requested it again.
func TestReplacingItem_opensAtOnce(t *testing.T) {
	t.Parallel()
	o, h := exchange(t, 2)
	require.True(t, h.Sealed)
	id := []string{h.Items[0].ExchangeItemID.String()}
	_, err := o.Prepare(sellerA, id)
	require.NoError(t, err)

	o.Item(h.Items[0].ExchangeItemID).Gate, h.Sealed = "waiting", false
	_, err = o.Prepare(sellerA, id)
	require.ErrorIs(t, err, apierr.ExchangeItemNotPreparable)
	_, err = o.Ship(sellerA, id, parcel)
	require.ErrorIs(t, err, apierr.ExchangeItemNotReshipping)
	again, plan, err := o.AddExchangeLine(&h, replacements(), newIDs())
	require.NoError(t, err)
	require.Empty(t, plan.Added)
	require.True(t, again.Sealed)
	_, err = apply(o, plan).Prepare(sellerA, id)
	require.NoError(t, err)
}

func TestShipExchangeLine_shipsItemAndEndsExchange(t *testing.T) {
	t.Parallel()
	for _, quantity := range []int64{2, 3} {
		o, h := exchange(t, quantity)
		sent := carrier.Shipment{Carrier: carrier.Lotte, TrackingNo: "212345678901"}
		settled, plan, err := o.ShipExchangeLine(&h, "", sent, order.DefaultTerms(), newIDs())
		require.NoError(t, err)
		require.Equal(t, order.HoldSettled, settled.State)
		after := apply(o, plan)
		standsIn, old := after.Item(h.Items[0].ExchangeItemID), after.Item(settled.Items[0].SettledItemID)
		require.Equal(t, order.Shipping, standsIn.State)
		require.Equal(t, sent, standsIn.Parcel())
		require.Equal(t, order.GateEnded, standsIn.Gate)
		require.Equal(t, order.Exchanged, old.State)
		require.Equal(t, quantity == 3, old.ID == itemID(1))
		require.Equal(t, parcel, old.Parcel(), "the exchanged goods keep their own parcel")
		for i := range after.Items {
			requireFields(t, &after.Items[i])
			require.False(t, after.Items[i].HasActiveClaim)
		}

		again, plan, err := after.ShipExchangeLine(&settled, "", sent, order.DefaultTerms(), newIDs())
		require.NoError(t, err)
		require.Equal(t, settled, again)
		require.False(t, plan.Stamps(), "a repetition changes nothing")
		sent.TrackingNo = "9"
		_, _, err = after.ShipExchangeLine(&settled, "", sent, order.DefaultTerms(), newIDs())
		require.ErrorIs(t, err, apierr.ClaimNotReshippable)
		done, err := after.Ship(sellerA, []string{standsIn.ID.String()}, standsIn.Parcel())
		require.NoError(t, err)
		require.True(t, done.Items[0].AlreadyDone, "a repetition from the order's side")
	}
}

func reasonOf(err error) string {
	if err == nil {
		return ""
	}
	reason, _ := apierr.From(err).Data["reason"].(string)
	return reason
}

func requireHolds(t *testing.T, o *order.Locked, h *order.Hold) {
	t.Helper()
	_, _, err := o.Touch(h, true)
	require.NoError(t, err)
}

func TestShip_doesNotFinishExchange(t *testing.T) {
	t.Parallel()
	o, h := exchange(t, 3)
	company := "가온물류"
	sent := parcel
	sent.Logistics = &company
	done, err := o.Ship(sellerA, []string{h.Items[0].ExchangeItemID.String()}, sent)
	require.NoError(t, err)
	o = apply(o, done.Plan)
	requireHolds(t, o, &h)
	require.Equal(t, order.GateOpen, o.Item(h.Items[0].ExchangeItemID).Gate)

	_, _, err = o.ShipExchangeLine(&h, "", carrier.Shipment{Carrier: carrier.Lotte, TrackingNo: "1"}, order.DefaultTerms(), newIDs())
	require.ErrorIs(t, err, apierr.ClaimNotReshippable)
	require.Equal(t, "parcel", apierr.From(err).Data["reason"])
	settled, plan, err := o.ShipExchangeLine(&h, "", parcel, order.DefaultTerms(), newIDs())
	require.NoError(t, err)
	require.Equal(t, order.HoldSettled, settled.State)
	require.Nil(t, plan.Parcel, "the item is shipped already")
	require.Equal(t, order.Exchanged, apply(o, plan).Items[0].State)
}

// standings are the states to which the seller can have brought a replacing item, for a reshipment in the parcel of the tests.
var standings = map[string]func(*order.LockedItem){
	"waits": func(*order.LockedItem) {},
	"held":  func(i *order.LockedItem) { *i = heldBy("C-2", *i) },
	"gone":  func(i *order.LockedItem) { i.State = order.Canceled },
	"here":  func(i *order.LockedItem) { travel(i, parcel.TrackingNo) },
	"there": func(i *order.LockedItem) { travel(i, "999999999999") },
}

func travel(item *order.LockedItem, number carrier.TrackingNo) {
	on := itemIn(order.Shipping)
	item.State, item.ShippedAt, item.ParcelID = on.State, on.ShippedAt, on.ParcelID
	item.CarrierName, item.TrackingNo = string(parcel.Carrier), string(number)
}

func exchangeOfTwo(t *testing.T, standing ...string) (*order.Locked, order.Hold) {
	t.Helper()
	o := locked(heldBy("C-1", itemIn(order.Delivered)), heldBy("C-1", itemIn(order.Delivered)))
	h := hold("C-1", order.ClaimExchange, 3)
	h.Items = append(h.Items, order.HoldItem{ItemID: itemID(2), Quantity: 3})
	wanted := []order.Replacement{{ItemID: itemID(1), Paid: 100}, {ItemID: itemID(2), Paid: 100}}
	replaced, plan, err := o.AddExchangeLine(h, wanted, newIDs())
	require.NoError(t, err)
	o = apply(o, plan)
	for i, name := range standing {
		standings[name](o.Item(replaced.Items[i].ExchangeItemID))
	}
	return o, replaced
}

// Whatever the seller has done with the two replacing items: one parcel takes all that is still to be shipped, and if nothing
// is, the exchange completes with the parcel of any of them. A completed exchange stays completed.
func TestShipExchangeLine_severalItems(t *testing.T) {
	t.Parallel()
	const failed = string(apierr.ExchangeItemShipFailed)
	for _, c := range []struct {
		one, other string
		// active and settled are the errors of the reshipment before and after the exchange has settled; empty if it succeeds.
		active, settled string
		ships           int
	}{
		{"waits", "waits", "", "", 2},
		{"waits", "here", "", "", 1},
		{"waits", "there", "parcel", "parcel", 0},
		{"waits", "held", failed, "", 0},
		{"here", "here", "", "", 0},
		{"here", "there", "", "", 0},
		{"there", "there", "parcel", "parcel", 0},
		{"held", "here", failed, "", 0},
		{"held", "there", "parcel", "parcel", 0},
		{"gone", "waits", "state", "", 0},
		{"gone", "here", "state", "", 0},
		{"gone", "there", "state", "parcel", 0},
	} {
		for _, standing := range [][]string{{c.one, c.other}, {c.other, c.one}} {
			for state, reason := range map[order.HoldState]string{order.HoldActive: c.active, order.HoldSettled: c.settled} {
				o, h := exchangeOfTwo(t, standing...)
				h.State = state
				next, plan, err := o.ShipExchangeLine(&h, "", parcel, order.DefaultTerms(), newIDs())
				if reason != "" {
					require.Error(t, err, "%v %s", standing, state)
					require.Contains(t, []any{string(apierr.From(err).Code), apierr.From(err).Data["reason"]}, reason, "%v %s", standing, state)
					require.False(t, plan.Stamps())
					continue
				}
				require.NoError(t, err, "%v %s", standing, state)
				require.Equal(t, order.HoldSettled, next.State)
				require.Equal(t, state == order.HoldActive, plan.Stamps(), "%v %s", standing, state)
				require.Equal(t, c.ships > 0 && plan.Stamps(), plan.Parcel != nil, "%v %s", standing, state)
			}
		}
	}
}

func TestShipExchangeLine_itemsInTwoParcels(t *testing.T) {
	t.Parallel()
	for _, standing := range [][]string{{"here", "there"}, {"there", "here"}} {
		o, h := exchangeOfTwo(t, standing...)
		settled, plan, err := o.ShipExchangeLine(&h, "", parcel, order.DefaultTerms(), newIDs())
		require.NoError(t, err)
		after := apply(o, plan)
		for i, held := range settled.Items {
			before, now := o.Item(held.ExchangeItemID), after.Item(held.ExchangeItemID)
			wanted := *before
			wanted.Gate = order.GateEnded
			require.Equal(t, wanted, *now, "every item stays in its own parcel")
			require.Equal(t, order.Exchanged, after.Items[i].State)
		}
		for number, reason := range map[carrier.TrackingNo]string{parcel.TrackingNo: "", "999999999999": "", "1": "parcel"} {
			sent := carrier.Shipment{Carrier: parcel.Carrier, TrackingNo: number}
			again, plan, err := after.ShipExchangeLine(&settled, "", sent, order.DefaultTerms(), newIDs())
			require.Equal(t, reason, reasonOf(err))
			require.Equal(t, settled, again)
			require.False(t, plan.Stamps(), "a repetition changes nothing")
		}
	}
}

// The error of an exchange that cannot be shipped has the code of its reason.
func TestShipExchangeLine_refusalSaysWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(o *order.Locked, h *order.Hold)
		code   apierr.Code
	}{
		"no replacement item": {func(_ *order.Locked,
			h *order.Hold,
		) {
			h.Items = hold("C-1", order.ClaimExchange, 1).Items
		}, apierr.ClaimNotReshippable},
		"original item changed by an operator": {
			func(o *order.Locked, _ *order.Hold) { o.Items[0].State = order.Shipping },
			apierr.ClaimNotReshippable,
		},
		"replacement item canceled": {
			func(o *order.Locked, _ *order.Hold) { o.Items[2].State = order.Canceled },
			apierr.ClaimNotReshippable,
		},
		"hold released": {
			func(_ *order.Locked, h *order.Hold) { h.State = order.HoldReleased },
			apierr.ClaimNotReshippable,
		},
		"replacement item held": {
			func(o *order.Locked, _ *order.Hold) { o.Items[2] = heldBy("C-2", o.Items[2]) },
			apierr.ExchangeItemShipFailed,
		},
		"hold settled already": {func(_ *order.Locked, h *order.Hold) { h.State = order.HoldSettled }, ""},
	} {
		o, h := exchange(t, 3)
		c.change(o, &h)
		_, plan, err := o.ShipExchangeLine(&h, "", parcel, order.DefaultTerms(), newIDs())
		if c.code == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorIs(t, err, c.code, name)
		}
		require.Equal(t, c.code == apierr.ClaimNotReshippable, reasonOf(err) != "", "only permanent refusals have a reason")
		require.False(t, plan.Stamps(), name)
	}
}

// Replacements must be given, one for each item that the claim holds.
func TestAddExchangeLine_oneForEachHeldItem(t *testing.T) {
	t.Parallel()
	good := replacements()[0]
	unknown := good
	unknown.ItemID = itemID(2)
	o, h := locked(heldBy("C-1", itemIn(order.Delivered))), hold("C-1", order.ClaimExchange, 1)
	replaced, active := exchange(t, 2)
	for name, wanted := range map[string][]order.Replacement{"none": nil, "twice": {good, good}, "not held": {unknown}} {
		_, plan, err := o.AddExchangeLine(h, wanted, newIDs())
		require.ErrorIs(t, err, apierr.ClaimNotInspectable, name)
		require.False(t, plan.Stamps())
		_, plan, err = replaced.AddExchangeLine(&active, wanted, newIDs())
		require.ErrorIs(t, err, apierr.ClaimNotInspectable, name) // the first call was about other items
		require.False(t, plan.Stamps())
	}
	_, _, err := o.AddExchangeLine(hold("C-1", order.ClaimReturn, 1), replacements(), newIDs())
	require.ErrorIs(t, err, apierr.ClaimNotInspectable)
	o.Items[0].State = order.Paid
	_, _, err = o.AddExchangeLine(h, replacements(), newIDs())
	require.Equal(t, "state", apierr.From(err).Data["reason"])
}

// A released exchange leaves nothing to ship: its replacing item is cancelled.
func TestRelease_cancelsReplacingItem(t *testing.T) {
	t.Parallel()
	o, h := exchange(t, 2)
	ended, plan, _ := o.Release(&h, order.DefaultTerms())
	require.Equal(t, order.HoldReleased, ended.State)
	require.Equal(t, order.Canceled, apply(o, plan).Item(h.Items[0].ExchangeItemID).State)
}
