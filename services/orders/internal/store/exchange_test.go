package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/orders/internal/order"
)

func TestAnExchangeGoesTheWholeWay(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimExchange, 1)
	wanted := []order.Replacement{{ItemID: h.id(1), OptionName: "화이트 / L", Paid: 12_400}}
	added, err := h.s.AddExchangeItems(t.Context(), "C-1", wanted, true)
	require.NoError(t, err)
	standsIn := h.seen(h.a).Items[2]
	require.Equal(t, added.Items[0].ExchangeItemID, standsIn.ID)
	require.True(t, standsIn.IsExchange)
	require.Equal(t, order.Paid, standsIn.State)
	call := Process{SellerID: h.a, OrderNo: h.no, ItemIDs: []string{standsIn.ID.String()}}
	_, err = h.prepare(call)
	require.ErrorIs(t, err, apierr.ExchangeItemNotPreparable)
	_, err = h.ship(call, parcels[1])
	require.ErrorIs(t, err, apierr.ExchangeItemNotReshipping)

	for range 2 {
		added, err = h.s.AddExchangeItems(t.Context(), "C-1", wanted, false)
		require.NoError(t, err)
		require.Equal(t, standsIn.ID, added.Items[0].ExchangeItemID)
	}
	h.must(h.prepare(call))
	settled, err := h.s.ShipExchange(t.Context(), "C-1", parcels[1])
	require.NoError(t, err)
	items := h.seen(h.a).Items
	require.Len(t, items, 4)
	require.Equal(t, order.Shipping, items[2].State)
	require.Equal(t, parcels[1], items[2].Parcel())
	require.Equal(t, order.Exchanged, items[3].State)
	require.Equal(t, settled.Items[0].SettledItemID, items[3].ID)
	require.Equal(t, parcels[0], items[3].Parcel())
	h.unmoved(func() error {
		again, err := h.s.ShipExchange(t.Context(), "C-1", parcels[1])
		require.Equal(t, settled, again)
		return err
	})
	_, err = h.s.ShipExchange(t.Context(), "C-1", parcels[0])
	require.ErrorIs(t, err, apierr.ClaimNotReshippable)
	_, err = h.ship(call, parcels[0])
	require.ErrorIs(t, err, apierr.ShipmentStateConflict)
	require.True(t, h.must(h.ship(call, parcels[1])).Items[0].AlreadyDone)
}

func TestAConvertedExchangeIsHeldByTheReturn(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimExchange, 2)
	_, err := h.s.AddExchangeItems(t.Context(), "C-1", []order.Replacement{{ItemID: h.id(1), Paid: 100}}, false)
	require.NoError(t, err)
	require.NoError(t, h.s.Convert(t.Context(), "C-1", "R-1"))
	items := h.seen(h.a).Items
	require.True(t, items[0].HasActiveClaim)
	require.Equal(t, order.Canceled, items[2].State)
	h.unmoved(func() error { return h.s.Convert(t.Context(), "C-1", "R-1") })
	h.unmoved(func() error { return h.s.Release(t.Context(), "C-1") })
	require.ErrorIs(t, h.s.Convert(t.Context(), "C-1", "R-2"), apierr.ClaimNotApprovable)
	_, err = h.s.Settle(t.Context(), "R-1")
	require.NoError(t, err)
	require.Equal(t, order.Returned, h.seen(h.a).Items[0].State)
}

func TestAReturnThatHasAHoldTakesOverNone(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimExchange, 1)
	require.NoError(t, h.s.Release(t.Context(), "R-1"))
	h.unmoved(func() error {
		require.ErrorIs(t, h.s.Convert(t.Context(), "C-1", "R-1"), apierr.ClaimNotApprovable)
		return nil
	})
}
