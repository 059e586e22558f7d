// Package claimlinestest tests every implementation of orders.v1.ClaimLines against the comments of the contract: the orders
// service on its database, and the test double of it that the claims service is tested with. A difference between the two is a
// failure of a test here.
//
// Not covered is what the contract says about anything other than claims and lines, because no caller of it can observe that: when
// the purchase of a released line is confirmed. Neither is the refusal of a hold because of its "quantity" after it was opened:
// nothing takes pieces away from a line that a claim holds.
package claimlinestest

import (
	"testing"
	"time"

	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
)

// Subject is an implementation under test: the calls of the contract, and the changes of orders outside of it.
type Subject interface {
	ordersv1connect.ClaimLinesClient
	// Place places an order and returns the ids of its lines.
	Place(t *testing.T, order Order) []string
	// Prepare and Ship process a line as its seller does, in one parcel, and return the error with which they were refused.
	Prepare(t *testing.T, orderNo, itemID string) error
	Ship(t *testing.T, orderNo, itemID string, parcel Parcel) error
	// Correct moves a line to a state as an operator does, and returns the error with which it was refused. A line that needs a
	// parcel gets the given one, or any if it has none and the parcel is zero.
	Correct(t *testing.T, orderNo, itemID, state string, parcel Parcel) error
	// Lines returns the lines of an order, in the order of their codes.
	Lines(t *testing.T, orderNo string) []Line
	// Stamps returns, for each seller of an order, a number that grows with every change visible to that seller.
	Stamps(t *testing.T, orderNo string) []int64
}

// Common values of all placed orders. Each seller received the shipping fee.
const (
	Currency    = "KRW"
	ShippingFee = 3000
	ProductID   = "P-1"
	ProductName = "셔츠"
	OptionName  = "빨강 / M"
	UnitPrice   = 5000
)

// The two sellers of every order.
const (
	Seller = "0a6f3bb1-5d0c-4f0e-9a53-0c1f6c0e7d01"
	Other  = "0a6f3bb1-5d0c-4f0e-9a53-0c1f6c0e7d02"
)

// The time when every order was paid, and the time when its delivered lines were delivered. They were shipped in between.
var (
	PaidAt      = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)
	DeliveredAt = PaidAt.Add(2 * time.Hour)
)

// Order is an order to be placed.
type Order struct {
	No    string
	Lines []NewLine
	// Points is how many points the customer used for the part of [Seller].
	Points int64
}

// NewLine is a line of an order to be placed, at [UnitPrice] a piece.
type NewLine struct {
	Seller string
	// State is paid, preparing, shipping or delivered.
	State          string
	Quantity, Paid int64
}

// Line is a line of an order.
type Line struct {
	ID, Seller, Code, State, OptionName string
	Quantity, Paid                      int64
	// SplitFrom is the id of the line that a claim split this one off.
	SplitFrom                  string
	HasActiveClaim, IsExchange bool
	// Parcel is set for exchange lines only, and zero if the line was not shipped.
	Parcel Parcel
}

// Parcel is the parcel that a line is shipped in.
type Parcel struct{ CarrierName, TrackingNo string }

// scenario is one test on an order of [Seller] with these lines. The order also has a paid line of [Other].
type scenario struct {
	name  string
	lines []NewLine
	run   func(b *fixture)
}

// Run runs the suite. open returns the implementation for one test; it may return the same one for all.
func Run(t *testing.T, open func(t *testing.T) Subject) {
	t.Helper()
	for _, group := range []struct {
		name      string
		scenarios []scenario
	}{
		{"open", openings()}, {"open_refused", refusedOpenings()}, {"number", numbers()}, {"release", releases()},
		{"settle", settlements()}, {"seal", seals()}, {"add_exchange_line", replacements()}, {"ship_exchange_line", reshipments()},
		{"parcels", parcels()}, {"cancel_reshipment", cancellations()}, {"freeze", freezes()},
		{"convert", conversions()}, {"points", points()}, {"touch", touches()}, {"check", checks()}, {"malformed", malformed()},
	} {
		t.Run(group.name, func(t *testing.T) {
			t.Parallel()
			for _, s := range group.scenarios {
				t.Run(s.name, func(t *testing.T) {
					t.Parallel()
					s.run(place(t, open(t), s.lines))
				})
			}
		})
	}
}
