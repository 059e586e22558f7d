package intake

import (
	"context"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
)

// Clocks implements ordersv1connect.ClocksHandler: it returns the clocks of sellers in microseconds since 1970, in their order.
type Clocks func(ctx context.Context, sellers [][]byte) ([]int64, error)

var _ ordersv1connect.ClocksHandler = Clocks(nil)

// Last returns the times of the latest changes.
func (c Clocks) Last(ctx context.Context, request *ordersv1.LastRequest) (*ordersv1.LastResponse, error) {
	micros, err := c(ctx, request.GetSellerIds())
	if err != nil {
		return nil, err
	}
	return &ordersv1.LastResponse{Micros: micros}, nil
}
