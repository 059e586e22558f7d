package claim

import (
	"time"

	"sellerapi.dev/pkg/carrier"
)

// EventKind says what an event of a claim's history is.
type EventKind string

// The kinds of events.
const (
	// EventStatus: the claim entered a status.
	EventStatus EventKind = "status"
	// EventParcel: a collection or a reshipment got its parcel.
	EventParcel EventKind = "parcel"
	// EventRefund: a refund entered a status.
	EventRefund EventKind = "refund"
)

// History is what happened to a claim, in chronological order.
type History struct {
	No, OrderNo string
	Events      []Event
}

// Event is an event of the history. Fields that its kind does not have are zero.
type Event struct {
	At   time.Time
	Kind EventKind
	// By is the party, KeyPrefix the first characters of the key that a seller used.
	By        ActorKind
	KeyPrefix string
	Status    Status
	// Parcel is the action that the parcel belongs to.
	Parcel     Trigger
	Carrier    carrier.Name
	TrackingNo carrier.TrackingNo
	// Refund, RefundStatus and Amount, of money and points together, are those of a refund.
	Refund       RefundKind
	RefundStatus RefundStatus
	Amount       int64
}
