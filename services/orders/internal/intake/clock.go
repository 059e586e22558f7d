package intake

import (
	"context"

	"sellerapi.dev/pkg/sellerclock"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
)

// Clock implements ordersv1connect.ClockHandler.
type Clock struct{ Clock *sellerclock.Clock }

var _ ordersv1connect.ClockHandler = Clock{}

// Advance moves the clock of a seller forward.
func (c Clock) Advance(ctx context.Context, request *ordersv1.AdvanceRequest) (*ordersv1.AdvanceResponse, error) {
	now, offset, err := c.Clock.Advance(ctx, request)
	return &ordersv1.AdvanceResponse{Now: now, Offset: offset}, err
}

// RunDue does what is due for a seller.
func (c Clock) RunDue(ctx context.Context, request *ordersv1.RunDueRequest) (*ordersv1.RunDueResponse, error) {
	done, failed, err := c.Clock.RunDue(ctx, request)
	return &ordersv1.RunDueResponse{Done: done, Failed: failed}, err
}
