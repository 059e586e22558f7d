package order_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
)

func TestShip_storesParcelSkipsPreparation(t *testing.T) {
	t.Parallel()
	company := "가온물류"
	sent := carrier.Shipment{Carrier: carrier.Hanjin, TrackingNo: "412345678901", Logistics: &company}
	o := locked(itemIn(order.Paid), itemIn(order.Preparing))
	done, err := o.Ship(sellerA, ids(2, 1), sent)
	require.NoError(t, err)

	wanted := itemIn(order.Paid)
	wanted.ID, wanted.Seq, wanted.State = itemID(1), 1, order.Shipping
	wanted.ParcelID, wanted.CarrierName, wanted.TrackingNo = order.NewParcel, "한진택배", "412345678901"
	wanted.LogisticsCompany, wanted.ShippedAt = &company, now
	second := wanted
	second.ID, second.Seq = itemID(2), 2
	require.Equal(t, []order.ProcessedItem{{Item: second}, {Item: wanted}}, done.Items, "in the order of the request")
	require.Equal(t, order.Plan{
		Changed: []order.LockedItem{wanted, second},
		Entered: []order.ItemStateChange{
			{SellerID: sellerA, ItemID: itemID(2), To: order.Shipping, At: now},
			{SellerID: sellerA, ItemID: itemID(1), To: order.Shipping, At: now},
		},
		Parcel: &sent,
	}, done.Plan)
}

// A correction puts items of several parcels into one and leaves their state, the time of their shipment and the items that are
// in the parcel already.
func TestCorrectShipment_replacesParcel(t *testing.T) {
	t.Parallel()
	sent := carrier.Shipment{Carrier: carrier.Hanjin, TrackingNo: "412345678901"}
	other := itemIn(order.Shipping)
	other.TrackingNo, other.LogisticsCompany = "612345678912", nil
	there := itemIn(order.Delivered)
	there.CarrierName, there.TrackingNo, there.LogisticsCompany = "한진택배", "412345678901", nil
	o := locked(itemIn(order.Shipping), other, there, itemIn(order.Shipping))
	done, err := o.CorrectShipment(sellerA, ids(2, 3, 1), sent)
	require.NoError(t, err)

	wanted := make([]order.LockedItem, 2)
	for i := range wanted {
		wanted[i] = o.Items[i]
		wanted[i].ParcelID, wanted[i].CarrierName, wanted[i].TrackingNo = order.NewParcel, "한진택배", "412345678901"
		wanted[i].LogisticsCompany = nil
	}
	require.Equal(t, order.Plan{Changed: wanted, Parcel: &sent}, done.Plan, "no state is entered")
	require.Equal(t, []order.ProcessedItem{{Item: wanted[1]}, {Item: o.Items[2], AlreadyDone: true}, {Item: wanted[0]}}, done.Items)
}

func TestDeliver_startsConfirmationPeriod(t *testing.T) {
	t.Parallel()
	done, err := locked(itemIn(order.Shipping)).Deliver(sellerA, ids(1), order.DefaultTerms())
	require.NoError(t, err)
	item := done.Items[0].Item
	require.Equal(t, order.Delivered, item.State)
	require.Equal(t, now, item.DeliveredAt)
	require.Equal(t, now.Add(8*24*time.Hour), item.AutoConfirmAt)
}

// A confirmed purchase shows when it was confirmed and no longer when it would have confirmed itself.
func TestConfirm_showsWhen(t *testing.T) {
	t.Parallel()
	done, err := locked(itemIn(order.Delivered)).Confirm(order.Customer, ids(1))
	require.NoError(t, err)
	item := done.Items[0].Item
	require.Equal(t, now, item.ConfirmedAt)
	require.Zero(t, item.AutoConfirmAt)
}

// All due items of an order, of every seller, are confirmed together; held items and those due later are not.
func TestConfirmDue_allTogether(t *testing.T) {
	t.Parallel()
	late := itemIn(order.Delivered)
	late.AutoConfirmAt = now.Add(time.Microsecond)
	o := locked(itemIn(order.Delivered), late, heldBy("C-1", itemIn(order.Delivered)), of(sellerB, itemIn(order.Delivered)))
	o.Items[0].AutoConfirmAt = now
	plan := o.ConfirmDue()
	require.Equal(t, []order.ItemStateChange{
		{SellerID: sellerA, ItemID: itemID(1), To: order.Confirmed, At: now},
		{SellerID: sellerB, ItemID: itemID(4), To: order.Confirmed, At: now},
	}, plan.Entered)
}

// If several items are refused, the first in the order of the call determines the code, and the error lists all of them.
func TestProcess_firstRefusalDecidesAllNamed(t *testing.T) {
	t.Parallel()
	shipped := itemIn(order.Delivered)
	company := ""
	shipped.LogisticsCompany = &company
	o := locked(itemIn(order.Paid), itemIn(order.Canceled), heldBy("C-1", itemIn(order.Paid)),
		standIn(order.GateEnded, itemIn(order.Paid)), shipped)
	for first, code := range map[int]apierr.Code{
		2: apierr.OrderItemNotShippable, 3: apierr.OrderItemHasActiveClaim, 4: apierr.ExchangeItemNotReshipping,
		5: apierr.ShipmentStateConflict,
	} {
		numbers := []int{1, first}
		for _, n := range []int{2, 3, 4, 5} {
			if n != first {
				numbers = append(numbers, n)
			}
		}
		done, err := o.Ship(sellerA, ids(numbers...), parcel)
		require.ErrorIs(t, err, code)
		require.False(t, done.Plan.Stamps(), "item 1 is not shipped separately")
		problems, ok := apierr.From(err).Data["items"].([]order.ItemProblem)
		require.True(t, ok)
		require.Len(t, problems, 4)
		require.Equal(t, itemID(first).String(), problems[0].ItemID)
		for _, problem := range problems {
			require.Equal(t, problem.ItemID == itemID(5).String(), problem.ItemParcel != nil)
		}
	}
	_, err := o.Ship(sellerA, ids(5), parcel)
	require.Equal(t, map[string]any{"items": []order.ItemProblem{{
		ItemID: itemID(5).String(), State: order.Delivered,
		ItemParcel: &order.ItemParcel{CarrierName: "CJ대한통운", TrackingNo: "612345678901", LogisticsCompany: &company},
	}}}, apierr.From(err).Data)
}

// Ids of other sellers' items, unknown ids and malformed ones get the same error, which lists all of them.
func TestProcess_idsOfNoItem(t *testing.T) {
	t.Parallel()
	o := locked(itemIn(order.Paid))
	foreign := itemID(2).String()
	sent := []string{ids(1)[0], foreign, uuid.NewString(), "nonsense", "", itemID(1).URN(), strings.ReplaceAll(ids(1)[0], "-", "")}
	_, err := o.Prepare(sellerA, sent)
	require.ErrorIs(t, err, apierr.OrderItemNotFound)
	wanted := make([]order.ItemProblem, 0, len(sent))
	for _, id := range sent[1:] {
		wanted = append(wanted, order.ItemProblem{ItemID: id})
	}
	require.Equal(t, map[string]any{"items": wanted}, apierr.From(err).Data)
}

// An item id may be sent in upper case.
func TestProcess_idInCapitals(t *testing.T) {
	t.Parallel()
	o := locked(itemIn(order.Paid))
	o.Items[0].ID = uuid.MustParse("0195923e-8c11-7b3a-9f02-51d3c0a7e4b1")
	done, err := o.Prepare(sellerA, []string{"0195923E-8C11-7B3A-9F02-51D3C0A7E4B1"})
	require.NoError(t, err)
	require.Equal(t, order.Preparing, done.Items[0].Item.State)
}

// A shipment that was registered elsewhere has a number as it was typed. Sent again in any form, it is the same parcel.
func TestShip_comparesNormalizedTrackingNo(t *testing.T) {
	t.Parallel()
	o := locked(itemIn(order.Shipping))
	o.Items[0].TrackingNo = " 6123-4567-8901"
	done, err := o.Ship(sellerA, ids(1), parcel)
	require.NoError(t, err)
	require.True(t, done.Items[0].AlreadyDone)
	require.Equal(t, " 6123-4567-8901", done.Items[0].Item.TrackingNo)
}

// If some items of a call are done already, only the others are changed, and the actual state of each is shown.
func TestProcess_someAlreadyDone(t *testing.T) {
	t.Parallel()
	done, err := locked(itemIn(order.Confirmed), itemIn(order.Paid), itemIn(order.Shipping)).Ship(sellerA, ids(1, 2, 3), parcel)
	require.NoError(t, err)
	already := make([]bool, 0, len(done.Items))
	for _, item := range done.Items {
		already = append(already, item.AlreadyDone)
	}
	require.Equal(t, []bool{true, false, true}, already)
	require.Equal(t, order.Confirmed, done.Items[0].Item.State, "the real state is shown")
	require.Len(t, done.Plan.Changed, 1)
}

// The standing of an order is computed after the plan, over the items of all sellers.
func TestStanding_afterThePlan(t *testing.T) {
	t.Parallel()
	o := locked(itemIn(order.Paid), itemIn(order.Returned))
	o.Items[2].State = order.Delivered
	done, err := o.Ship(sellerA, ids(1), parcel)
	require.NoError(t, err)
	require.Equal(t, order.Standing{
		Status: order.StatusPartiallyClaimed,
		Sellers: []order.SellerStanding{
			{ID: sellerA, States: order.SetOf(order.Shipping, order.Returned)},
			{ID: sellerB, States: order.SetOf(order.Delivered)},
		},
	}, o.Standing(&done.Plan))
}
