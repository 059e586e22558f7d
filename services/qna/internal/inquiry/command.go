package inquiry

import (
	"time"

	"github.com/google/uuid"
)

// AnswerCommand is an answer sent by a seller.
type AnswerCommand struct {
	SellerID uuid.UUID
	// KeyID and KeyPrefix are those of the API key that was used, RequestID that of the call, for the history.
	KeyID, KeyPrefix, RequestID string
	QnaID                       uuid.UUID
	Content                     string
}

// AnswerResult is an inquiry after an answer to it was accepted.
type AnswerResult struct {
	QnaID uuid.UUID
	// Converged says that the answer already existed.
	Converged bool
	UpdatedAt time.Time
	// Answer is the current answer: if converged, the text of the first call.
	Answer Answer
}

// CancelCommand cancels an answer.
type CancelCommand struct {
	QnaID uuid.UUID
	// Operator and Reason are for the history.
	Operator string
	Reason   string
}
