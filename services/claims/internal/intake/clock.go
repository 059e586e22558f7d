package intake

import (
	"context"

	"sellerapi.dev/pkg/sellerclock"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
)

// Clock implements claimsv1connect.ClockHandler.
type Clock struct{ Clock *sellerclock.Clock }

var _ claimsv1connect.ClockHandler = Clock{}

// Advance moves the clock of a seller forward.
func (c Clock) Advance(ctx context.Context, request *claimsv1.AdvanceRequest) (*claimsv1.AdvanceResponse, error) {
	now, offset, err := c.Clock.Advance(ctx, request)
	return &claimsv1.AdvanceResponse{Now: now, Offset: offset}, err
}

// RunDue does what is due for a seller.
func (c Clock) RunDue(ctx context.Context, request *claimsv1.RunDueRequest) (*claimsv1.RunDueResponse, error) {
	done, failed, err := c.Clock.RunDue(ctx, request)
	return &claimsv1.RunDueResponse{Done: done, Failed: failed}, err
}
