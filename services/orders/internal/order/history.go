package order

import (
	"time"

	"github.com/google/uuid"
)

// EventKind says what an event of an order's history is.
type EventKind string

// The kinds of events.
const (
	// EventStatus: items entered a state.
	EventStatus EventKind = "status"
	// EventParcel: items were put into a parcel, the first one or another.
	EventParcel EventKind = "parcel"
	// EventHold: a claim began to hold items.
	EventHold EventKind = "hold"
	// EventHoldEnd: a claim ended its hold.
	EventHoldEnd EventKind = "hold_end"
	// EventSplit: a claim on a part of an item split that part off.
	EventSplit EventKind = "split"
)

// History is what happened to a seller's items of an order, in chronological order.
type History struct {
	OrderNo string
	Events  []Event
}

// Event is an event of the history. Fields that its kind does not have are zero.
type Event struct {
	At   time.Time
	Kind EventKind
	// ChangedBy is the kind of the actor, KeyPrefix the first characters of the key that a seller used.
	ChangedBy, KeyPrefix string
	ItemIDs              []uuid.UUID
	State                State
	// CarrierName, TrackingNo and LogisticsCompany are the parcel.
	CarrierName, TrackingNo string
	LogisticsCompany        *string
	ClaimNo                 string
	// HoldState is how a hold ended.
	HoldState HoldState
	// OriginID is the item that a part was split off from, Quantity is the part.
	OriginID uuid.UUID
	Quantity int64
}
