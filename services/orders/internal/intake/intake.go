// Package intake implements the calls of the marketplace core, which places orders and reports their payments. It converts messages
// to the types of package order, validates them, and leaves the rest to the store.
//
// Every call may be repeated: it returns the first outcome and changes nothing. A call that is refused has
// changed nothing either.
package intake

import (
	"context"
	"time"

	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/store"
)

// Orders is the part of the store that the calls use.
type Orders interface {
	// Now returns the database time, which is the basis of all timestamps.
	Now(ctx context.Context) (time.Time, error)
	// Place stores validated placements in one transaction; *store.TakenError when an item id is taken.
	Place(ctx context.Context, placements []order.Placement) ([]store.PlaceResult, error)
	// EndPayment ends a payment and reports whether that changed it; ORDER_NOT_FOUND, order.ErrPaymentEnded.
	EndPayment(ctx context.Context, orderNo string, outcome order.Payment, paidAt time.Time) (bool, error)
	// Confirm confirms purchases and reports whether that changed anything; act is nil for the customer. Codes of the rules,
	// order.ErrNotConfirmable.
	Confirm(ctx context.Context, orderNo string, itemIDs []string, act *order.Act) (bool, error)
	// Correct puts an item into the state that an operator chose and reports whether that changed it. Codes and errors of the
	// rules, store.ErrActTaken.
	Correct(ctx context.Context, orderNo, itemID string, c order.Correction, act order.Act) (bool, error)
	// Forget deletes a member's personal data and returns how many orders had any.
	Forget(ctx context.Context, memberID string) (int, error)
}

// Service implements orders.v1.Intake.
type Service struct{ Orders Orders }
