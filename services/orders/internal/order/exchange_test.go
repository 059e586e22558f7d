package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
)

// exchange is an order with an exchange of some pieces of its first item that has come as far as the replacing item.
func exchange(t *testing.T, quantity int64, waiting bool) (*order.Locked, order.Hold) {
	t.Helper()
	o, h := locked(heldBy("C-1", itemIn(order.Delivered))), hold("C-1", order.ClaimExchange, quantity)
	replaced, plan, err := o.AddExchangeItems(h, replacements(), waiting, newIDs())
	require.NoError(t, err)
	return apply(o, plan), replaced
}

// replacements is what the customer gets for the first item.
func replacements() []order.Replacement {
	return []order.Replacement{{ItemID: itemID(1), OptionName: "화이트 / L", Paid: 26_000}}
}

func TestTheReplacingItemIsANewPaidItemOfTheSameProduct(t *testing.T) {
	t.Parallel()
	o, h := exchange(t, 2, false)
	require.Equal(t, order.LockedItem{
		Item: order.Item{
			ID: h.Items[0].ExchangeItemID, Seq: 3, ProductName: "순면 티셔츠", OptionName: "화이트 / L", Quantity: 2,
			// Two of three pieces cost 25,800 and had 25,133 paid for them; the discount of 667 stays.
			Prices: order.Prices{List: 15_900, Unit: 13_333, Line: 26_667, Discount: 667, Paid: 26_000},
			State:  order.Paid, IsExchange: true,
		},
		SellerID: sellerA, ProductID: "p-1", Gate: order.GateOpen,
	}, o.Items[2])
	require.Equal(t, order.StatusPaid, o.Status)
	require.True(t, o.Items[0].HasActiveClaim, "the goods that are exchanged stay held")

	again, plan, err := o.AddExchangeItems(&h, replacements(), false, newIDs())
	require.NoError(t, err)
	require.Equal(t, h, again)
	require.False(t, plan.Stamps(), "a repetition changes nothing")
}

// For pieces that cost the same as before the replacing item has their unit price to the last won.
func TestTheUnitPriceOfTheReplacingItemIsExact(t *testing.T) {
	t.Parallel()
	o, h := locked(heldBy("C-1", itemIn(order.Delivered))), hold("C-1", order.ClaimExchange, 2)
	paid := int64(37_700 * 2 / 3)
	for _, difference := range []int64{0, 1000, -1000} {
		wanted := replacements()
		wanted[0].Paid = paid + 2*difference
		_, plan, err := o.AddExchangeItems(h, wanted, false, newIDs())
		require.NoError(t, err)
		prices := plan.Added[0].Prices
		require.Equal(t, 12_900+difference, prices.Unit)
		require.Equal(t, prices.Unit*2, prices.Line)
	}
}

func TestAReplacingItemWaitsUntilTheExchangeIsReshipping(t *testing.T) {
	t.Parallel()
	o, h := exchange(t, 2, true)
	id := []string{h.Items[0].ExchangeItemID.String()}
	_, err := o.Prepare(sellerA, id)
	require.ErrorIs(t, err, apierr.ExchangeItemNotPreparable)
	_, err = o.Ship(sellerA, id, parcel)
	require.ErrorIs(t, err, apierr.ExchangeItemNotReshipping)

	h, plan, err := o.AddExchangeItems(&h, replacements(), false, newIDs())
	require.NoError(t, err)
	require.Empty(t, plan.Added)
	o = apply(o, plan)
	_, err = o.Prepare(sellerA, id)
	require.NoError(t, err)
	_, plan, err = o.AddExchangeItems(&h, replacements(), true, newIDs())
	require.NoError(t, err)
	require.False(t, plan.Stamps(), "it does not wait again")
}

func TestAReshipmentShipsTheReplacingItemAndEndsTheExchange(t *testing.T) {
	t.Parallel()
	for _, quantity := range []int64{2, 3} {
		o, h := exchange(t, quantity, false)
		sent := carrier.Shipment{Carrier: carrier.Lotte, TrackingNo: "212345678901"}
		settled, plan, err := o.ShipExchange(&h, sent, order.DefaultTerms(), newIDs())
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

		again, plan, err := after.ShipExchange(&settled, sent, order.DefaultTerms(), newIDs())
		require.NoError(t, err)
		require.Equal(t, settled, again)
		require.False(t, plan.Stamps(), "a repetition changes nothing")
		sent.TrackingNo = "9"
		_, _, err = after.ShipExchange(&settled, sent, order.DefaultTerms(), newIDs())
		require.ErrorIs(t, err, apierr.ClaimNotReshippable)
		done, err := after.Ship(sellerA, []string{standsIn.ID.String()}, standsIn.Parcel())
		require.NoError(t, err)
		require.True(t, done.Items[0].AlreadyDone, "the order's side repeats it")
	}
}

func TestAShipmentOnTheOrdersSideDoesNotFinishTheExchange(t *testing.T) {
	t.Parallel()
	o, h := exchange(t, 3, false)
	company := "가온물류"
	sent := parcel
	sent.Logistics = &company
	done, err := o.Ship(sellerA, []string{h.Items[0].ExchangeItemID.String()}, sent)
	require.NoError(t, err)
	o = apply(o, done.Plan)
	require.True(t, o.Holds(&h))
	require.Equal(t, order.GateOpen, o.Item(h.Items[0].ExchangeItemID).Gate)

	_, _, err = o.ShipExchange(&h, carrier.Shipment{Carrier: carrier.Lotte, TrackingNo: "1"}, order.DefaultTerms(), newIDs())
	require.ErrorIs(t, err, apierr.ClaimNotReshippable)
	require.Equal(t, "parcel", apierr.From(err).Data["reason"])
	settled, plan, err := o.ShipExchange(&h, parcel, order.DefaultTerms(), newIDs())
	require.NoError(t, err)
	require.Equal(t, order.HoldSettled, settled.State)
	require.Nil(t, plan.Parcel, "it is on its way already")
	require.Equal(t, order.Exchanged, apply(o, plan).Items[0].State)
}

func TestAnExchangeThatCannotBeShippedSaysWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change func(o *order.Locked, h *order.Hold)
		code   apierr.Code
	}{
		"nothing replaces it":        {func(_ *order.Locked, h *order.Hold) { h.Items = hold("C-1", order.ClaimExchange, 1).Items }, apierr.ClaimNotReshippable},
		"an operator moved the old":  {func(o *order.Locked, _ *order.Hold) { o.Items[0].State = order.Shipping }, apierr.ClaimNotReshippable},
		"the replacing one is gone":  {func(o *order.Locked, _ *order.Hold) { o.Items[2].State = order.Canceled }, apierr.ClaimNotReshippable},
		"it was released":            {func(_ *order.Locked, h *order.Hold) { h.State = order.HoldReleased }, apierr.ClaimNotReshippable},
		"the replacing one is held":  {func(o *order.Locked, _ *order.Hold) { o.Items[2] = heldBy("C-2", o.Items[2]) }, apierr.ExchangeItemShipFailed},
		"completed, then taken back": {func(_ *order.Locked, h *order.Hold) { h.State = order.HoldSettled }, ""},
	} {
		o, h := exchange(t, 3, false)
		c.change(o, &h)
		_, plan, err := o.ShipExchange(&h, parcel, order.DefaultTerms(), newIDs())
		if c.code == "" {
			require.NoError(t, err, name)
		} else {
			require.ErrorIs(t, err, c.code, name)
		}
		require.False(t, plan.Stamps(), name)
	}
}

func TestReplacementsMustBeOneForEachItemThatIsHeld(t *testing.T) {
	t.Parallel()
	good := replacements()[0]
	unknown := good
	unknown.ItemID = itemID(2)
	o, h := locked(heldBy("C-1", itemIn(order.Delivered))), hold("C-1", order.ClaimExchange, 1)
	for name, wanted := range map[string][]order.Replacement{"none": nil, "twice": {good, good}, "not held": {unknown}} {
		_, plan, err := o.AddExchangeItems(h, wanted, false, newIDs())
		require.ErrorIs(t, err, apierr.ClaimNotInspectable, name)
		require.False(t, plan.Stamps())
	}
	_, _, err := o.AddExchangeItems(hold("C-1", order.ClaimReturn, 1), replacements(), false, newIDs())
	require.ErrorIs(t, err, apierr.ClaimNotInspectable)
	o.Items[0].State = order.Paid
	_, _, err = o.AddExchangeItems(h, replacements(), false, newIDs())
	require.Equal(t, "state", apierr.From(err).Data["reason"])
}

func TestAConvertedExchangeLosesItsReplacingItemAndKeepsTheHold(t *testing.T) {
	t.Parallel()
	for name, shipped := range map[string]bool{"waiting": false, "shipped on the order's side": true} {
		o, h := exchange(t, 2, false)
		standsIn := h.Items[0].ExchangeItemID
		if shipped {
			done, err := o.Ship(sellerA, []string{standsIn.String()}, parcel)
			require.NoError(t, err)
			o = apply(o, done.Plan)
		}
		ended, taken, plan, err := o.Convert(&h, "C-2")
		require.NoError(t, err, name)
		after := apply(o, plan)
		require.Equal(t, order.HoldConverted, ended.State)
		require.Equal(t, "C-2", after.Items[0].ClaimNo)
		require.True(t, after.Items[0].HasActiveClaim)
		require.True(t, after.Holds(&taken), name)
		require.Equal(t, shipped, after.Item(standsIn).State == order.Shipping)
		require.Equal(t, !shipped, after.Item(standsIn).State == order.Canceled)
		require.Equal(t, order.GateEnded, after.Item(standsIn).Gate)

		again, same, plan, err := after.Convert(&ended, "C-2")
		require.NoError(t, err)
		require.Equal(t, ended, again)
		require.Equal(t, taken, same)
		require.False(t, plan.Stamps(), "a repetition changes nothing")
		_, _, _, err = after.Convert(&ended, "C-3")
		require.ErrorIs(t, err, apierr.ClaimNotApprovable)
		_, _, _, err = after.Convert(hold("C-4", order.ClaimReturn, 1), "C-3")
		require.ErrorIs(t, err, apierr.ClaimNotApprovable)

		settled, plan, err := after.Settle(&taken, order.DefaultTerms(), newIDs())
		require.NoError(t, err)
		require.Equal(t, order.Returned, apply(after, plan).Item(settled.Items[0].SettledItemID).State)
	}
}

func TestAReleasedExchangeLeavesNothingToShip(t *testing.T) {
	t.Parallel()
	o, h := exchange(t, 2, true)
	ended, plan := o.Release(&h, order.DefaultTerms())
	require.Equal(t, order.HoldReleased, ended.State)
	require.Equal(t, order.Canceled, apply(o, plan).Item(h.Items[0].ExchangeItemID).State)
}
