package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
)

// An exchange takes all its steps, from the replacing item to its shipment, and every step may be repeated.
func TestExchange_wholeWay(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimExchange, 1)
	wanted := []order.Replacement{{ItemID: h.id(1), OptionName: "화이트 / L", Paid: 12_400}}
	added, err := h.addExchangeLine(t.Context(), "C-1", wanted)
	require.NoError(t, err)
	standsIn := h.seen(h.a).Items[2]
	require.Equal(t, added.Items[0].ExchangeItemID, standsIn.ID)
	require.True(t, standsIn.IsExchange)
	require.Equal(t, order.Paid, standsIn.State)
	call := order.ProcessCommand{SellerID: h.a, OrderNo: h.no, ItemIDs: []string{standsIn.ID.String()}}
	h.unmoved(func() error {
		again, err := h.addExchangeLine(t.Context(), "C-1", wanted)
		require.Equal(t, added, again)
		return err
	})
	h.must(h.prepare(call))
	settled, err := h.shipExchangeLine(t.Context(), "C-1", "", parcels[1])
	require.NoError(t, err)
	items := h.seen(h.a).Items
	require.Len(t, items, 4)
	require.Equal(t, order.Shipping, items[2].State)
	require.Equal(t, parcels[1], items[2].Parcel())
	require.Equal(t, order.Exchanged, items[3].State)
	require.Equal(t, settled.Items[0].SettledItemID, items[3].ID)
	require.Equal(t, parcels[0], items[3].Parcel())
	h.unmoved(func() error {
		again, err := h.shipExchangeLine(t.Context(), "C-1", "", parcels[1])
		require.Equal(t, settled, again)
		return err
	})
	_, err = h.shipExchangeLine(t.Context(), "C-1", "", parcels[0])
	require.ErrorIs(t, err, apierr.ClaimNotReshippable)
	_, err = h.ship(call, parcels[0])
	require.ErrorIs(t, err, apierr.ShipmentStateConflict)
	require.True(t, h.must(h.ship(call, parcels[1])).Items[0].AlreadyDone)
}

// replaced returns a shop whose first seller's items are held by an exchange, with replacing items of one piece each that can be
// shipped, and their ids.
func replaced(t *testing.T) (*shop, []string) {
	t.Helper()
	h := newShop(t).delivered()
	both := h.hold("C-1", order.ClaimExchange, 1)
	both.Items = append(both.Items, order.HoldItem{ItemID: h.id(2), Quantity: 1})
	_, err := h.open(both)
	require.NoError(t, err)
	wanted := []order.Replacement{{ItemID: h.id(1), Paid: 100}, {ItemID: h.id(2), Paid: 100}}
	added, err := h.addExchangeLine(t.Context(), "C-1", wanted)
	require.NoError(t, err)
	return h, []string{added.Items[0].ExchangeItemID.String(), added.Items[1].ExchangeItemID.String()}
}

func TestShipExchangeLine_itemsInTwoParcels(t *testing.T) {
	t.Parallel()
	for first := range parcels {
		h, fresh := replaced(t)
		h.must(h.ship(order.ProcessCommand{SellerID: h.a, OrderNo: h.no, ItemIDs: fresh[:1]}, parcels[0]))
		_, err := h.shipExchangeLine(t.Context(), "C-1", "", parcels[1])
		require.ErrorIs(t, err, apierr.ClaimNotReshippable, "one item is unshipped, the other in another parcel")
		h.must(h.ship(order.ProcessCommand{SellerID: h.a, OrderNo: h.no, ItemIDs: fresh[1:]}, parcels[1]))
		shipped, parcelsSent := h.seen(h.a).Items, h.count("shipments")

		settled, err := h.shipExchangeLine(t.Context(), "C-1", "", parcels[first])
		require.NoError(t, err)
		require.Equal(t, order.HoldSettled, settled.State)
		items := h.seen(h.a).Items
		for i := range settled.Items { // they now replace what was split off
			shipped[2+i].OriginID = settled.Items[i].SettledItemID
		}
		require.Equal(t, shipped[2:4], items[2:4], "items and parcels are unchanged")
		require.Equal(t, parcelsSent, h.count("shipments"))
		require.Equal(t, []order.State{order.Exchanged, order.Exchanged}, []order.State{items[4].State, items[5].State})
		h.unmoved(func() error {
			again, err := h.shipExchangeLine(t.Context(), "C-1", "", parcels[first])
			require.Equal(t, settled, again)
			return err
		})
		_, err = h.shipExchangeLine(t.Context(), "C-1", "", carrier.Shipment{Carrier: carrier.Hanjin, TrackingNo: "412345678901"})
		require.Equal(t, "parcel", apierr.From(err).Data["reason"])
	}
}
