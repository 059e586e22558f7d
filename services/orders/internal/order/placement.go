package order

import (
	"time"

	"github.com/google/uuid"
)

// Placement is an order as placed by the marketplace. Times have microsecond precision.
type Placement struct {
	No       string
	MemberID string
	Currency string
	// PaidAt is zero while the payment is pending.
	PaidAt time.Time
	// PlacedAt is when the order arrived. It is not sent, see [Placement.Arrived].
	PlacedAt time.Time
	Contact  Contact
	// Parts has one element for each seller.
	Parts []Part
}

// Part is one seller's part of a placed order.
type Part struct {
	SellerID uuid.UUID
	Charges  Charges
	Lines    []Line
}

// Line is an item of a placed order.
type Line struct {
	// ID is zero if the marketplace does not choose one.
	ID                                 uuid.UUID
	ProductID, ProductName, OptionName string
	Quantity                           int64
	ListPrice, UnitPrice, Discount     int64
	// ShipBy is by when the item should be shipped; zero for no time.
	ShipBy time.Time
	// History holds the states that the item entered before the order was placed here, oldest first, without the payment.
	History []StateChange
	// Shipment is the parcel of an item that was shipped before the order was placed here.
	Shipment *SentParcel
}

// StateChange is one change of an item's state.
type StateChange struct {
	To State
	At time.Time
}

// SentParcel has the texts of a parcel as they were sent.
type SentParcel struct {
	CarrierName, TrackingNo string
	// LogisticsCompany is nil when it was not given; empty is a value.
	LogisticsCompany *string
}

// Lines returns the number of lines of all sellers.
func (p *Placement) Lines() int {
	lines := 0
	for _, part := range p.Parts {
		lines += len(part.Lines)
	}
	return lines
}

// Sellers returns the sellers of the parts. The first is the home of the order.
func (p *Placement) Sellers() []uuid.UUID {
	sellers := make([]uuid.UUID, len(p.Parts))
	for i := range p.Parts {
		sellers[i] = p.Parts[i].SellerID
	}
	return sellers
}

// IsPaid reports whether the order is already paid when it is placed.
func (p *Placement) IsPaid() bool { return !p.PaidAt.IsZero() }

// Payment returns the payment state of the order.
func (p *Placement) Payment() Payment {
	if p.IsPaid() {
		return PaymentPaid
	}
	return PaymentPending
}

// Prices returns the amounts of a new item.
func (l *Line) Prices() Prices {
	amount := l.UnitPrice * l.Quantity
	return Prices{List: l.ListPrice, Unit: l.UnitPrice, Line: amount, Discount: l.Discount, Paid: amount - l.Discount}
}

// Life is the history of an item and the times derived from it.
type Life struct {
	State State
	// ShippedAt, DeliveredAt and ConfirmedAt are zero if the state does not have them.
	ShippedAt, DeliveredAt, ConfirmedAt time.Time
	// Changes are all changes of the item's state, the payment first; none while the payment is pending.
	Changes []StateChange
}

// Life computes the life of an item of an order that was paid at paidAt from its history; a zero time is a pending payment.
//
// Each time is that of the last forward step into its state: a correction from delivered back to shipping does not change
// ShippedAt.
func (l *Line) Life(paidAt time.Time) Life {
	if paidAt.IsZero() {
		return Life{State: Pending}
	}
	life := Life{State: Paid, Changes: append([]StateChange{{To: Paid, At: paidAt}}, l.History...)}
	for _, change := range l.History {
		if change.To.rank() > life.State.rank() {
			life.enter(change)
		}
		life.State = change.To
	}
	return life.trimmed()
}

func (l *Life) enter(change StateChange) {
	switch change.To {
	case Shipping:
		l.ShippedAt = change.At
	case Delivered:
		l.DeliveredAt = change.At
	case Confirmed:
		l.ConfirmedAt = change.At
	default:
	}
}

// trimmed clears the times that the last state does not have.
func (l Life) trimmed() Life {
	shows := l.State.Shows()
	if !shows.ShippedAt {
		l.ShippedAt = time.Time{}
	}
	if !shows.DeliveredAt {
		l.DeliveredAt = time.Time{}
	}
	if !shows.ConfirmedAt {
		l.ConfirmedAt = time.Time{}
	}
	return l
}
