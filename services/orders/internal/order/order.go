package order

import (
	"time"

	"github.com/google/uuid"
)

// Order is one seller's view of a paid order.
type Order struct {
	// ID is the same for all sellers of the order; it is used to sort pages and never shown.
	ID       uuid.UUID
	No       string
	Currency string
	// Status is computed from the items of all sellers, SellerStatus from this seller's.
	Status, SellerStatus Status
	PaidAt, UpdatedAt    time.Time
	Contact              Contact
	Charges              Charges
	// Items are this seller's items, in the order of their codes.
	Items []Item
}

// Private is what the marketplace placed with an order and no seller sees.
type Private struct {
	MemberID string
	// ProductIDs are the products of the seller's items by the ids of these.
	ProductIDs map[uuid.UUID]string
}

// Charges are the amounts of a seller's part of an order apart from its items, in the order's currency.
type Charges struct {
	PointUsed       int64
	ShippingFeeBase int64
	ShippingFeePaid int64
}

// Item is one line of an order.
type Item struct {
	ID uuid.UUID
	// Seq is the number in the item's code.
	Seq                     int
	ProductName, OptionName string
	Quantity                int64
	Prices                  Prices
	State                   State
	IsExchange              bool
	HasActiveClaim          bool
	// CarrierName and TrackingNo are empty for an item without a parcel.
	CarrierName, TrackingNo string
	// LogisticsCompany is nil when it was not given; empty is a value.
	LogisticsCompany *string
	// ShippedAt, DeliveredAt and ConfirmedAt are zero if that has not happened.
	ShippedAt, DeliveredAt, ConfirmedAt time.Time
	// AutoConfirmAt is when the purchase is automatically confirmed; zero in other states than delivered and while a claim is
	// active.
	AutoConfirmAt time.Time
	// ShipBy is by when the item should be shipped, as the marketplace says; zero if it says nothing. It stays when the item is
	// shipped, but is not shown any more.
	ShipBy time.Time
	// OriginID is the item that this one was split off from by the claim SplitFromClaimNo. For a replacement item it is the item
	// that it replaces in the exchange ExchangeClaimNo: the claimed item, and after the exchange completed the one with the
	// exchanged quantity. Zero and empty for all others.
	OriginID                          uuid.UUID
	SplitFromClaimNo, ExchangeClaimNo string
}

// Prices are the amounts of an item, in the order's currency.
type Prices struct {
	List, Unit           int64
	Line, Discount, Paid int64
}

// Amounts are the seller_* amounts of an order.
type Amounts struct {
	Items, Discount, PointUsed, Paid int64
	ShippingFeeBase, ShippingFeePaid int64
}

// Amounts returns the totals of this seller's visible items, including ended ones. The paid amount excludes shipping.
func (o *Order) Amounts() Amounts {
	sum := Amounts{
		PointUsed:       o.Charges.PointUsed,
		ShippingFeeBase: o.Charges.ShippingFeeBase,
		ShippingFeePaid: o.Charges.ShippingFeePaid,
	}
	for i := range o.Items {
		if !o.Items[i].State.Visible() {
			continue
		}
		sum.Items += o.Items[i].Prices.Line
		sum.Discount += o.Items[i].Prices.Discount
		sum.Paid += o.Items[i].Prices.Paid
	}
	return sum
}
