package intake

import (
	"context"

	"sellerapi.dev/pkg/sellerclock"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
)

// Clock implements qnav1connect.ClockHandler.
type Clock struct{ Clock *sellerclock.Clock }

var _ qnav1connect.ClockHandler = Clock{}

// Advance moves the clock of a seller forward.
func (c Clock) Advance(ctx context.Context, request *qnav1.AdvanceRequest) (*qnav1.AdvanceResponse, error) {
	now, offset, err := c.Clock.Advance(ctx, request)
	return &qnav1.AdvanceResponse{Now: now, Offset: offset}, err
}

// RunDue does what is due for a seller.
func (c Clock) RunDue(ctx context.Context, request *qnav1.RunDueRequest) (*qnav1.RunDueResponse, error) {
	done, failed, err := c.Clock.RunDue(ctx, request)
	return &qnav1.RunDueResponse{Done: done, Failed: failed}, err
}
