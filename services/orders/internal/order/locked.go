package order

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
)

// Locked is a paid order as every change to it reads it: with the items of all its sellers, read after its row was locked, so
// that nothing in it changes until the change is written.
type Locked struct {
	ID       uuid.UUID
	No       string
	Currency string
	PaidAt   time.Time
	// Status is over the items of all sellers, as it stands.
	Status Status
	// Now is when whatever is decided happens. It is after everything that happened to the order before.
	Now time.Time
	// Sellers are everyone who has a part in the order.
	Sellers []LockedSeller
	// Items are in the order of their codes.
	Items []LockedItem
}

// LockedSeller is what the order has beside the items for one of its sellers.
type LockedSeller struct {
	ID              uuid.UUID
	UpdatedAt       time.Time
	ShippingFeePaid int64
	// PointUsed is what the customer paid with points for the items and, with what is left, for shipping.
	PointUsed int64
}

// LockedItem is an item with what only decisions look at.
type LockedItem struct {
	Item
	SellerID  uuid.UUID
	ProductID string
	// Points is the part of what was paid for the item that was paid with points. Sellers do not see it.
	Points int64
	// ParcelID is the id of the item's parcel; zero for none, [NewParcel] for the one of the plan.
	ParcelID uuid.UUID
	// ClaimNo is the claim that holds the item, empty for none. HasActiveClaim says the same without the number.
	ClaimNo string
	// Gate is set on items that an exchange created.
	Gate Gate
}

// Gate is the progress of the exchange that created an item.
type Gate string

// The gates. An item that no exchange created has none. Items are created open; any other gate, such as one that another version writes,
// is one that the exchange has not come to: operations bar it, until the exchange's next call opens it.
const (
	// GateOpen: the exchange is reshipping.
	GateOpen Gate = "open"
	// GateFrozen: it is, and an operator has frozen the claim.
	GateFrozen Gate = "frozen"
	// GateEnded: the exchange has ended.
	GateEnded Gate = "ended"
)

// NewParcel stands for the id of a parcel that has none yet.
var NewParcel = uuid.Max

// ItemCode is the code of an item: the order's number and at least two digits.
func ItemCode(orderNo string, seq int) string {
	if seq < 10 {
		return orderNo + "-0" + strconv.Itoa(seq)
	}
	return orderNo + "-" + strconv.Itoa(seq)
}

// Seller returns the seller's part of the order; the zero value for a seller who has none.
func (o *Locked) Seller(id uuid.UUID) LockedSeller {
	for _, seller := range o.Sellers {
		if seller.ID == id {
			return seller
		}
	}
	return LockedSeller{}
}

// Item returns the item with the id, nil when the order has none.
func (o *Locked) Item(id uuid.UUID) *LockedItem {
	for i := range o.Items {
		if o.Items[i].ID == id {
			return &o.Items[i]
		}
	}
	return nil
}

// Find returns the items with the ids as a caller wrote them, in that order. seller is the required owner; the zero
// id stands for all sellers. ORDER_ITEM_NOT_FOUND names every id without a matching item.
func (o *Locked) Find(seller uuid.UUID, ids []string) ([]*LockedItem, error) {
	byID := make(map[string]*LockedItem, len(o.Items))
	for i := range o.Items {
		if item := &o.Items[i]; item.State.Visible() && (seller == uuid.Nil || item.SellerID == seller) {
			byID[item.ID.String()] = item
		}
	}
	found := make([]*LockedItem, 0, len(ids))
	var missing []ItemProblem
	for _, id := range ids {
		// The one form in which ids are issued; letter case makes no difference.
		item := byID[strings.ToLower(id)]
		if item == nil {
			missing = append(missing, ItemProblem{ItemID: id})
		}
		found = append(found, item)
	}
	if len(missing) > 0 {
		return nil, apierr.OrderItemNotFound.With(map[string]any{"items": missing}).Meaning(o.meant(missing[0].ItemID))
	}
	return found, nil
}

// ItemProblem is an element of error_data.items: an item that prevents a call.
type ItemProblem struct {
	// ItemID is as the caller wrote it.
	ItemID string `json:"item_id"`
	// State is absent for an item that was not found.
	State State `json:"item_status,omitempty"`
	// ItemParcel is there when the item travels in another parcel than the call says.
	*ItemParcel
}

// ItemParcel is the parcel that is stored for an item.
type ItemParcel struct {
	CarrierName      string  `json:"carrier_name"`
	TrackingNo       string  `json:"tracking_no"`
	LogisticsCompany *string `json:"logistics_company"`
}

// Parcel is the shipment that the item travels in, in the form in which shipments are compared. Orders that lived elsewhere
// before may have come with a tracking number that was written differently.
func (i *Item) Parcel() carrier.Shipment {
	shipment := carrier.Shipment{
		Carrier: carrier.Name(i.CarrierName), TrackingNo: carrier.TrackingNo(i.TrackingNo), Logistics: i.LogisticsCompany,
	}
	if name, err := carrier.ParseName(i.CarrierName); err == nil {
		shipment.Carrier = name
	}
	if number, err := carrier.ParseTrackingNo(i.TrackingNo); err == nil {
		shipment.TrackingNo = number
	}
	return shipment
}

// put places the item in a parcel that has no id yet.
func (i *LockedItem) put(parcel carrier.Shipment) {
	i.ParcelID = NewParcel
	i.CarrierName, i.TrackingNo, i.LogisticsCompany = string(parcel.Carrier), string(parcel.TrackingNo), parcel.Logistics
}

// lastSeq is the highest number of an item code.
func (o *Locked) lastSeq() int {
	last := 0
	for i := range o.Items {
		last = max(last, o.Items[i].Seq)
	}
	return last
}

// clone returns a copy whose items can be changed.
func (o *Locked) clone() *Locked {
	next := *o
	next.Items = slices.Clone(o.Items)
	return &next
}
