// Package intake implements the calls of the marketplace core, which places orders and reports their payments. It converts
// messages to the types of package order, validates them, and leaves the rest to the store.
//
// Every call may be repeated: it returns the first outcome and changes nothing. A call that is refused has changed nothing
// either.
package intake

import (
	"context"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/services/orders/internal/order"
)

// Orders is the part of the store that the calls use. Those that name an order return ORDER_NOT_FOUND when there is none, and
// report whether they changed it.
type Orders interface {
	// Now returns the time of the database.
	Now(ctx context.Context) (time.Time, error)
	// Times returns the earliest and the latest time of the sellers of the placements.
	Times(ctx context.Context, placements []order.Placement) (earliest, latest time.Time, err error)
	// Place stores valid placements, all or none, and returns the result of each. *order.TakenError when an item id belongs to
	// another order.
	Place(ctx context.Context, placements []order.Placement) ([]order.PlaceResult, error)
	// EndPayment ends the payment of an order; paidAt is zero unless it is paid. order.ErrPaymentEnded when it already ended
	// with another outcome.
	EndPayment(ctx context.Context, orderNo string, outcome order.Payment, paidAt time.Time, among ...uuid.UUID) (
		changed bool, err error)
	// Confirm confirms purchases for a customer, or for an operator if there is an act. Codes of [order.Locked.Confirm];
	// order.ErrNotConfirmable, order.ErrActTaken.
	Confirm(ctx context.Context, orderNo string, itemIDs []string, operator *order.Act) (changed bool, err error)
	// Correct puts an item into the state that an operator chose. Codes of [order.Locked.Correct] and
	// [order.Hold.Correctable]; order.ErrActTaken.
	Correct(ctx context.Context, orderNo, itemID string, c order.Correction, operator order.Act) (changed bool, err error)
	// SetShipBy sets by when items should be shipped, zero for no time. Codes of [order.Locked.SetShipBy].
	SetShipBy(ctx context.Context, orderNo string, itemIDs []string, at time.Time) (changed bool, err error)
	// SetPolicy sets what a seller may do.
	SetPolicy(ctx context.Context, seller uuid.UUID, policy order.Policy) error
	// Forget deletes the personal data of a member and returns how many orders had any.
	Forget(ctx context.Context, memberID string) (int, error)
}

// Service implements orders.v1.Intake.
type Service struct{ Orders Orders }
