package order_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
)

func requireFields(t require.TestingT, item *order.LockedItem) {
	shows := item.State.Shows()
	require.Equal(t, shows.Parcel, item.ParcelID != uuid.Nil, item.State)
	require.Equal(t, shows.Parcel, item.CarrierName != "", item.State)
	require.Equal(t, shows.Parcel, item.TrackingNo != "", item.State)
	if !shows.Parcel {
		require.Nil(t, item.LogisticsCompany, item.State)
	}
	require.Equal(t, shows.ShippedAt, !item.ShippedAt.IsZero(), item.State)
	require.Equal(t, shows.DeliveredAt, !item.DeliveredAt.IsZero(), item.State)
	require.Equal(t, shows.ConfirmedAt, !item.ConfirmedAt.IsZero(), item.State)
	require.Equal(t, item.State == order.Delivered && !item.HasActiveClaim, !item.AutoConfirmAt.IsZero(), item.State)
	require.Equal(t, item.ClaimNo != "", item.HasActiveClaim)
	require.Equal(t, item.IsExchange, item.Gate != "")
	require.Equal(t, item.Prices.Line-item.Prices.Discount, item.Prices.Paid)
	if item.State == order.Confirmed {
		require.False(t, item.HasActiveClaim)
	}
}

// A corrected item has exactly the fields of its new state.
func TestCorrect_fieldsOfTheNewState(t *testing.T) {
	t.Parallel()
	company := "가온물류"
	told := carrier.Shipment{Carrier: carrier.Logen, TrackingNo: "91234567890", Logistics: &company}
	corrigible := []order.State{order.Paid, order.Preparing, order.Shipping, order.Delivered}
	for _, from := range corrigible {
		for _, to := range corrigible {
			for _, given := range []*carrier.Shipment{nil, &told} {
				o := locked(itemIn(from))
				before := o.Items[0]
				plan, err := o.Correct(ids(1)[0], order.Correction{To: to, Parcel: given}, order.DefaultTerms())
				switch {
				case given != nil && !to.Shows().Parcel:
					require.ErrorIs(t, err, order.ErrParcelSuperfluous, "%s -> %s", from, to)
					continue
				case given == nil && to.Shows().Parcel && !from.Shows().Parcel:
					require.ErrorIs(t, err, order.ErrParcelNeeded, "%s -> %s", from, to)
					continue
				}
				require.NoError(t, err, "%s -> %s", from, to)
				after := apply(o, plan).Items[0]
				require.Equal(t, to, after.State)
				requireFields(t, &after)
				if given != nil {
					require.Equal(t, told, after.Parcel())
				} else if to.Shows().Parcel {
					require.Equal(t, parcel, after.Parcel(), "the item keeps its parcel")
				}
				if from.Shows().ShippedAt && to.Shows().ShippedAt {
					require.Equal(t, before.ShippedAt, after.ShippedAt, "the time of the shipment is kept")
				}
				require.Equal(t, from == to && given == nil, !plan.Stamps(), "%s -> %s", from, to)
			}
		}
	}
}

func TestCorrect_deliveredItemWasShipped(t *testing.T) {
	t.Parallel()
	plan, err := locked(itemIn(order.Paid)).Correct(ids(1)[0], order.Correction{To: order.Delivered, Parcel: &parcel},
		order.DefaultTerms())
	require.NoError(t, err)
	require.Equal(t, []order.ItemStateChange{
		{SellerID: sellerA, ItemID: itemID(1), To: order.Shipping, At: now},
		{SellerID: sellerA, ItemID: itemID(1), To: order.Delivered, At: now},
	}, plan.Entered)
	require.Equal(t, now, plan.Changed[0].ShippedAt)
	require.Equal(t, now.Add(8*24*time.Hour), plan.Changed[0].AutoConfirmAt)
}

// A wrong parcel is corrected without a change of state.
func TestCorrect_parcelAlone(t *testing.T) {
	t.Parallel()
	other := carrier.Shipment{Carrier: carrier.CJLogistics, TrackingNo: "699999999999"}
	plan, err := locked(itemIn(order.Shipping)).Correct(ids(1)[0], order.Correction{To: order.Shipping, Parcel: &other},
		order.DefaultTerms())
	require.NoError(t, err)
	require.Empty(t, plan.Entered)
	require.Equal(t, &other, plan.Parcel)
	require.Equal(t, string(other.TrackingNo), plan.Changed[0].TrackingNo)
	require.Equal(t, itemIn(order.Shipping).ShippedAt, plan.Changed[0].ShippedAt)
}

// A correction keeps the claim's hold, and does not start the item's confirmation period.
func TestCorrect_keepsHold(t *testing.T) {
	t.Parallel()
	o := locked(heldBy("C-1", itemIn(order.Delivered)))
	plan, err := o.Correct(ids(1)[0], order.Correction{To: order.Shipping}, order.DefaultTerms())
	require.NoError(t, err)
	require.Equal(t, "C-1", plan.Changed[0].ClaimNo)
	plan, err = apply(o, plan).Correct(ids(1)[0], order.Correction{To: order.Delivered}, order.DefaultTerms())
	require.NoError(t, err)
	require.Zero(t, plan.Changed[0].AutoConfirmAt, "a claim is active")
}

// An item that does not exist cannot be corrected.
func TestCorrect_unknownItem(t *testing.T) {
	t.Parallel()
	_, err := locked().Correct(itemID(9).String(), order.Correction{To: order.Paid}, order.DefaultTerms())
	require.ErrorIs(t, err, apierr.OrderItemNotFound)
}
