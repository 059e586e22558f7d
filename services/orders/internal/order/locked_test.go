package order_test

import (
	"fmt"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
)

var (
	sellerA = uuid.MustParse("00000000-0000-7000-8000-00000000000a")
	sellerB = uuid.MustParse("00000000-0000-7000-8000-00000000000b")
)

// paidAt is when the orders of these tests were paid, now the time of the changes.
var (
	paidAt = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	now    = time.Date(2026, 3, 20, 9, 0, 0, 0, time.UTC)
)

var parcel = carrier.Shipment{Carrier: carrier.CJLogistics, TrackingNo: "612345678901"}

// locked returns an order of seller A with these items and one paid item of seller B.
func locked(items ...order.LockedItem) *order.Locked {
	o := &order.Locked{
		ID: uuid.UUID{15: 1}, No: "O-1", Currency: "KRW", Now: now,
		Sellers: []order.LockedSeller{
			{ID: sellerA, UpdatedAt: paidAt, ShippingFeePaid: 3000}, {ID: sellerB, UpdatedAt: paidAt},
		},
	}
	for i, item := range append(items, of(sellerB, itemIn(order.Paid))) {
		item.ID, item.Seq = itemID(i+1), i+1
		o.Items = append(o.Items, item)
	}
	o.Status = o.Standing(&order.Plan{}).Status
	return o
}

func itemID(n int) uuid.UUID { return uuid.MustParse(fmt.Sprintf("00000000-0000-7000-8000-%012d", n)) }

func ids(numbers ...int) []string {
	list := make([]string, 0, len(numbers))
	for _, n := range numbers {
		list = append(list, itemID(n).String())
	}
	return list
}

// itemIn returns an item of seller A that reached the state on the usual path.
func itemIn(state order.State) order.LockedItem {
	item := order.LockedItem{
		Item: order.Item{
			ProductName: "순면 티셔츠", OptionName: "블랙 / M", Quantity: 3, State: state,
			Prices: order.Prices{List: 15_900, Unit: 12_900, Line: 38_700, Discount: 1000, Paid: 37_700},
		},
		SellerID: sellerA, ProductID: "p-1",
	}
	shows := state.Shows()
	if shows.Parcel {
		item.ParcelID, item.CarrierName, item.TrackingNo = uuid.UUID{15: 7}, string(parcel.Carrier), string(parcel.TrackingNo)
	}
	if shows.ShippedAt {
		item.ShippedAt = paidAt.Add(24 * time.Hour)
	}
	if shows.DeliveredAt {
		item.DeliveredAt = paidAt.Add(48 * time.Hour)
	}
	if shows.ConfirmedAt {
		item.ConfirmedAt = paidAt.Add(72 * time.Hour)
	}
	if state == order.Delivered {
		item.AutoConfirmAt = item.DeliveredAt.Add(8 * 24 * time.Hour)
	}
	return item
}

func of(seller uuid.UUID, item order.LockedItem) order.LockedItem {
	item.SellerID = seller
	return item
}

func heldBy(claimNo string, item order.LockedItem) order.LockedItem {
	item.ClaimNo, item.HasActiveClaim, item.AutoConfirmAt = claimNo, true, time.Time{}
	return item
}

// standIn returns the item as one that an exchange created.
func standIn(gate order.Gate, item order.LockedItem) order.LockedItem {
	item.IsExchange, item.Gate = true, gate
	return item
}

func apply(o *order.Locked, plan order.Plan) *order.Locked {
	next := o.After(&plan)
	for i := range next.Items {
		if next.Items[i].ParcelID == order.NewParcel {
			next.Items[i].ParcelID = uuid.UUID{15: 100}
		}
	}
	next.Status = o.Standing(&plan).Status
	if plan.Stamps() {
		next.Now = o.Now.Add(time.Minute)
	}
	return next
}

func newIDs() func() uuid.UUID { return uuid.New }
