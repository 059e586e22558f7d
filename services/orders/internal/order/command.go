package order

import (
	"errors"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/carrier"
)

// ProcessCommand is a call of a seller that brings items of one order to a state.
type ProcessCommand struct {
	SellerID uuid.UUID
	OrderNo  string
	// ItemIDs are the ids as sent by the client.
	ItemIDs []string
}

// ProcessResult is an order after a ProcessCommand.
type ProcessResult struct {
	OrderNo   string
	Status    Status
	UpdatedAt time.Time
	// Items are those of the call, in its order.
	Items []ProcessedItem
}

// ShipCommand is a call that ships items of an order in one parcel.
type ShipCommand struct {
	ProcessCommand
	Parcel carrier.Shipment
}

// ShipResult is the result of one of several shipments.
type ShipResult struct {
	Done ProcessResult
	// Err is ORDER_NOT_FOUND, a code of [Locked.Ship] or ErrApart; the order is unchanged then.
	Err error
}

// ErrApart says that an order needs its own transaction: it has several sellers, and so several clocks, or it is locked by
// another transaction.
var ErrApart = errors.New("the order needs a separate transaction")
