package inquiry

import (
	"time"

	"github.com/google/uuid"
)

// Posted is an inquiry as received by the marketplace from the customer. It never changes.
type Posted struct {
	QnaID       uuid.UUID
	SellerID    uuid.UUID
	ProductID   uuid.UUID
	ProductName string
	Category    Category
	// Body is the customer's full text, even if the inquiry is secret.
	Body              string
	IsSecret          bool
	MemberDisplayName string
	// ImageURLs may be empty.
	ImageURLs []string
	CreatedAt time.Time
}

// Inquiry is an inquiry with its state.
type Inquiry struct {
	Posted
	State
}

// State is the mutable part of an inquiry, and all that decisions depend on.
type State struct {
	Status Status
	// UpdatedAt strictly increases with every change of a seller's inquiries.
	UpdatedAt time.Time
	// Answer is the current answer; nil while the inquiry is waiting.
	Answer *Answer
	// Cancellations is the number of answers that operators canceled.
	Cancellations int
}

// Answer is the seller's answer.
type Answer struct {
	// Content is the text as sent.
	Content    string
	AnsweredAt time.Time
}
