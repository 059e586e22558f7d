package inquiry

import (
	"time"

	"github.com/google/uuid"
)

// Posted is an inquiry as the marketplace took it from the customer. None of it ever changes.
type Posted struct {
	QnaID       uuid.UUID
	SellerID    uuid.UUID
	ProductID   uuid.UUID
	ProductName string
	Category    Category
	// Body is the customer's text, complete also when the inquiry is secret.
	Body              string
	IsSecret          bool
	MemberDisplayName string
	// ImageURLs may be empty.
	ImageURLs []string
	CreatedAt time.Time
}

// Inquiry is an inquiry and what has become of it.
type Inquiry struct {
	Posted
	State
}

// State is what changes of an inquiry, and all that decisions look at.
type State struct {
	Status Status
	// UpdatedAt grows strictly with every change of a seller's inquiries.
	UpdatedAt time.Time
	// Answer is the answer that is shown; nil while the inquiry waits.
	Answer *Answer
	// Cancellations counts the answers that operators took back.
	Cancellations int
}

// Answer is the seller's answer.
type Answer struct {
	// Content is the text as it was sent.
	Content    string
	AnsweredAt time.Time
}
