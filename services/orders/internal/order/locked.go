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
	// Status is the stored status, over the items of all sellers.
	Status Status
	// Now is the time of the decision. It is later than all previous changes of the order.
	Now time.Time
	// Sellers are all sellers of the order.
	Sellers []LockedSeller
	// Items are in the order of their codes.
	Items []LockedItem
}

// LockedSeller is the data of the order for one seller, apart from the items.
type LockedSeller struct {
	ID              uuid.UUID
	UpdatedAt       time.Time
	ShippingFeePaid int64
	// PointUsed is what the customer paid with points: first for the items, the rest for shipping.
	PointUsed int64
}

// LockedItem is an item with the data that only decisions need.
type LockedItem struct {
	Item
	SellerID  uuid.UUID
	ProductID string
	// Points is the part of the paid amount of the item that was paid with points. Sellers do not see it.
	Points int64
	// ParcelID is the id of the item's parcel; zero for none, [NewParcel] for the plan's parcel.
	ParcelID uuid.UUID
	// ClaimNo is the claim that holds the item, empty for none. HasActiveClaim says the same without the number.
	ClaimNo string
	// Gate is set on items that an exchange created.
	Gate Gate
}

// Gate is the progress of the exchange that created an item.
type Gate string

// The gates. An item that no exchange created has none. Items are created open. Operations treat an unknown gate, such as one of
// another version, as not open yet, until the exchange's next call opens it.
const (
	// GateOpen: the exchange is reshipping.
	GateOpen Gate = "open"
	// GateFrozen: the exchange is reshipping, but an operator has frozen the claim.
	GateFrozen Gate = "frozen"
	// GateClosed: a return supersedes the exchange, and the item is about to be canceled.
	GateClosed Gate = "waiting"
	// GateEnded: the exchange has ended.
	GateEnded Gate = "ended"
)

// NewParcel is a placeholder for the id of a parcel that is not stored yet.
var NewParcel = uuid.Max

// ItemCode returns the code of an item: the order's number and at least two digits.
func ItemCode(orderNo string, seq int) string {
	if seq < 10 {
		return orderNo + "-0" + strconv.Itoa(seq)
	}
	return orderNo + "-" + strconv.Itoa(seq)
}

// Seller returns the seller's data of the order; the zero value for a seller without a part in it.
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
		// Only the form in which ids are issued is accepted, in upper or lower case.
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
	// ItemID is the id as sent by the caller.
	ItemID string `json:"item_id"`
	// State is absent for an item that was not found.
	State State `json:"item_status,omitempty"`
	// ItemParcel is set when the item travels in another parcel than that of the call.
	*ItemParcel
}

// ItemParcel is the stored parcel of an item.
type ItemParcel struct {
	CarrierName      string  `json:"carrier_name"`
	TrackingNo       string  `json:"tracking_no"`
	LogisticsCompany *string `json:"logistics_company"`
}

// Parcel returns the item's shipment in normalized form, for comparison. The tracking numbers of migrated orders may be stored in
// another form.
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

// put assigns the item to the plan's parcel, which has no id yet.
func (i *LockedItem) put(parcel carrier.Shipment) {
	i.ParcelID = NewParcel
	i.CarrierName, i.TrackingNo, i.LogisticsCompany = string(parcel.Carrier), string(parcel.TrackingNo), parcel.Logistics
}

func (o *Locked) lastSeq() int {
	last := 0
	for i := range o.Items {
		last = max(last, o.Items[i].Seq)
	}
	return last
}

func (o *Locked) clone() *Locked {
	next := *o
	next.Items = slices.Clone(o.Items)
	return &next
}
