package order

import (
	"time"

	"github.com/google/uuid"
)

// Order is what one seller sees of a paid order.
type Order struct {
	// ID is the same for all sellers of the order; it orders pages and is never shown.
	ID       uuid.UUID
	No       string
	Currency string
	// Status is over the items of all sellers, SellerStatus over this seller's.
	Status, SellerStatus Status
	PaidAt, UpdatedAt    time.Time
	Contact              Contact
	Charges              Charges
	// Items are this seller's, in the order of their codes.
	Items []Item
}

// Charges are what a seller's part of an order has beside its items, in the order's currency.
type Charges struct {
	PointUsed       int64
	ShippingFeeBase int64
	ShippingFeePaid int64
}

// Item is one line of an order.
type Item struct {
	ID uuid.UUID
	// Seq is the NN of the item's code.
	Seq                     int
	ProductName, OptionName string
	Quantity                int64
	Prices                  Prices
	State                   State
	IsExchange              bool
	HasActiveClaim          bool
	// CarrierName and TrackingNo are empty where there is no parcel.
	CarrierName, TrackingNo string
	// LogisticsCompany is nil when none was given; an empty one is a value.
	LogisticsCompany *string
	// ShippedAt, DeliveredAt and ConfirmedAt are zero where they have not happened.
	ShippedAt, DeliveredAt, ConfirmedAt time.Time
	// AutoConfirmAt is when the purchase is confirmed by itself; zero outside of delivered and while a claim is active.
	AutoConfirmAt time.Time
	// OriginID is the item that this one was split off from by the claim SplitFromClaimNo, or, where it was not split off, the
	// one that it stands in for by the exchange ExchangeClaimNo: the claimed item, and since the exchange completed the one
	// that carries the exchanged quantity. Zero and empty on all others.
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

// Amounts adds up this seller's visible items, ended ones included. What was paid is for the items, without shipping.
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
