package lines_test

import (
	"testing"
	"time"
)

// The calls of the claims service, checked on the port with a real database against the comments of the contract: what each call
// answers, that a repetition answers the same and changes nothing, and that a refusal has its code, its reason and no effect. The
// rules themselves are tested in package order.
func TestContract(t *testing.T) {
	t.Parallel()
	s := serve(t)
	for name, scenarios := range map[string][]scenario{
		"open": openings(), "open_refused": refusedOpenings(), "number": numbers(), "release": releases(), "settle": settlements(),
		"seal": seals(), "add_exchange_line": replacements(), "ship_exchange_line": reshipments(), "cancel_reshipment": cancellations(),
		"freeze": freezes(), "convert": conversions(), "points": points(), "touch": touches(), "malformed": malformed(),
	} {
		for _, c := range scenarios {
			t.Run(name+"/"+c.name, func(t *testing.T) {
				t.Parallel()
				c.run(place(t, s, c.lines))
			})
		}
	}
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
