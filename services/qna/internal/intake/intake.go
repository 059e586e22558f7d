// Package intake receives inquiries from the marketplace core and lets operators cancel answers: the RPC service qna.v1.Intake.
// It converts messages, validates them by the rules, and leaves the rest to the store.
package intake

import (
	"context"
	"time"

	"github.com/google/uuid"

	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/qna/internal/inquiry"
)

const (
	maxBatch = 5000
	// clockSkew is how far the marketplace's clock may be ahead of ours.
	clockSkew = time.Minute
)

// Inquiries is the part of the store that the calls use.
type Inquiries interface {
	// Now returns the latest time of the sellers.
	Now(ctx context.Context, sellers []uuid.UUID) (time.Time, error)
	// Post stores new inquiries and returns the outcome of each, in their order. It is idempotent by qna_id.
	Post(ctx context.Context, batch []inquiry.Posted) ([]inquiry.PostOutcome, error)
	// Cancel cancels an answer and reports whether there was one. Code: QNA_NOT_FOUND.
	Cancel(ctx context.Context, command inquiry.CancelCommand) (changed bool, err error)
}

// Handler implements qnav1connect.IntakeHandler.
type Handler struct {
	inquiries Inquiries
}

var _ qnav1connect.IntakeHandler = (*Handler)(nil)

// New returns the service on a store.
func New(inquiries Inquiries) *Handler { return &Handler{inquiries: inquiries} }

// PostInquiries stores inquiries. VALIDATION_ERROR names every invalid field; nothing is stored then.
func (h *Handler) PostInquiries(ctx context.Context, request *qnav1.PostInquiriesRequest) (*qnav1.PostInquiriesResponse, error) {
	batch, sellers, err := readBatch(request.GetInquiries())
	if err != nil {
		return nil, err
	}
	now, err := h.inquiries.Now(ctx, sellers)
	if err != nil {
		return nil, err
	}
	if err := checkBatch(batch, now.Add(clockSkew)); err != nil {
		return nil, err
	}
	outcomes, err := h.inquiries.Post(ctx, batch)
	if err != nil {
		return nil, err
	}
	response := &qnav1.PostInquiriesResponse{Outcomes: make([]qnav1.PostOutcome, 0, len(outcomes))}
	for _, outcome := range outcomes {
		response.Outcomes = append(response.Outcomes, wireOutcomes[outcome])
	}
	return response, nil
}

var wireOutcomes = map[inquiry.PostOutcome]qnav1.PostOutcome{
	inquiry.PostNew:      qnav1.PostOutcome_POST_OUTCOME_POSTED,
	inquiry.PostRepeated: qnav1.PostOutcome_POST_OUTCOME_ALREADY_POSTED,
	inquiry.PostConflict: qnav1.PostOutcome_POST_OUTCOME_CONFLICT,
}

// CancelAnswer cancels an answer. QNA_NOT_FOUND: there is no such inquiry.
func (h *Handler) CancelAnswer(ctx context.Context, request *qnav1.CancelAnswerRequest) (*qnav1.CancelAnswerResponse, error) {
	command, err := readCancel(request)
	if err != nil {
		return nil, err
	}
	changed, err := h.inquiries.Cancel(ctx, command)
	return &qnav1.CancelAnswerResponse{Changed: changed}, err
}
