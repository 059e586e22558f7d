package webhook

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/gateway/internal/audit"
)

// MaxPerSeller is the maximum number of addresses of a seller.
const MaxPerSeller = 5

// The errors of the use cases.
var (
	ErrUnknown      = errors.New("no such webhook of this seller")
	ErrTooMany      = errors.New("the seller already has 5 webhooks")
	ErrURLTaken     = errors.New("the seller already has a webhook with this URL")
	ErrOtherContent = errors.New("the request id was used before, for a webhook with another URL")
	ErrUnderWay     = errors.New("a delivery to the webhook is under way; try again when it has ended")
)

// State says whether an address gets deliveries.
type State string

// The states of a webhook.
const (
	Active State = "active"
	Paused State = "paused"
	// Failed: it was paused because each of its deliveries failed for a day.
	Failed State = "failed"
)

// Webhook is an address of a seller.
type Webhook struct {
	ID, SellerID  uuid.UUID
	URL           string
	State         State
	CreatedAt     time.Time
	PausedAt      *time.Time
	FailingSince  *time.Time
	PreviousUntil *time.Time // nil: there is one secret only
	// Sealed and SealedPrevious are the encrypted secrets, the latter nil unless it is still valid.
	Sealed, SealedPrevious []byte
}

// Clocks are those of a seller's lists in microseconds since 1970.
type Clocks struct{ Orders, Claims, QnA int64 }

// later returns the later clock of each list.
func (c Clocks) later(other Clocks) Clocks {
	return Clocks{max(c.Orders, other.Orders), max(c.Claims, other.Claims), max(c.QnA, other.QnA)}
}

// Moved names the lists of a seller that have changed.
type Moved struct {
	Orders bool `json:"orders"`
	Claims bool `json:"claims"`
	QnA    bool `json:"qna"`
}

// Since returns the lists whose clock is later than a delivered one.
func (c Clocks) Since(delivered Clocks) Moved {
	return Moved{c.Orders > delivered.Orders, c.Claims > delivered.Claims, c.QnA > delivered.QnA}
}

// Any reports whether a list has changed.
func (m Moved) Any() bool { return m.Orders || m.Claims || m.QnA }

// AskClocks returns the clocks of sellers in one service, in the order of their ids of 16 bytes.
type AskClocks func(ctx context.Context, sellers [][]byte) ([]int64, error)

// Services ask each service for clocks.
type Services map[operation.Service]AskClocks

// Type is the type of a delivery.
type Type string

// The types of deliveries.
const (
	ListsMoved Type = "lists.moved"
	Test       Type = "webhook.test"
)

// Delivery is what became of a request to an address.
type Delivery struct {
	ID   uuid.UUID
	Type Type
	At   time.Time
	// Status is that of the answer, 0 if there was none; then Failure says why.
	Status  int
	Failure string
	Took    time.Duration
}

// Succeeded reports whether the receiver accepted the delivery.
func (d Delivery) Succeeded() bool { return d.Status >= 200 && d.Status < 300 }

// Due is an address that may be delivered to, with what was delivered last.
type Due struct {
	SellerID, ID uuid.UUID
	Delivered    Clocks
	// Failing: the last delivery failed.
	Failing bool
}

// Claimed is an address that this gateway alone delivers to until the claim ends.
type Claimed struct {
	Webhook

	Claim     uuid.UUID
	Delivered Clocks
}

// AddRequest is a request to add an address.
type AddRequest struct {
	SellerID  uuid.UUID
	URL       string
	Author    audit.Author
	RequestID uuid.UUID
}

// Request is a request about the webhook with ID, or all of the seller.
type Request struct {
	SellerID, ID uuid.UUID
	Author       audit.Author
	// RequestID is that of a rotation.
	RequestID uuid.UUID
}

// Secrets are those of a webhook that are valid now, the latest first.
type Secrets []secret.Text
