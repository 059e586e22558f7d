package intake

import (
	"context"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
)

// Clocks implements claimsv1connect.ClocksHandler: it returns the clocks of sellers in microseconds since 1970, in their order.
type Clocks func(ctx context.Context, sellers [][]byte) ([]int64, error)

var _ claimsv1connect.ClocksHandler = Clocks(nil)

// Last returns the times of the latest changes.
func (c Clocks) Last(ctx context.Context, request *claimsv1.LastRequest) (*claimsv1.LastResponse, error) {
	micros, err := c(ctx, request.GetSellerIds())
	if err != nil {
		return nil, err
	}
	return &claimsv1.LastResponse{Micros: micros}, nil
}
