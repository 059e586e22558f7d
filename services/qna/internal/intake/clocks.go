package intake

import (
	"context"

	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
)

// Clocks implements qnav1connect.ClocksHandler: it returns the clocks of sellers in microseconds since 1970, in their order.
type Clocks func(ctx context.Context, sellers [][]byte) ([]int64, error)

var _ qnav1connect.ClocksHandler = Clocks(nil)

// Last returns the times of the latest changes.
func (c Clocks) Last(ctx context.Context, request *qnav1.LastRequest) (*qnav1.LastResponse, error) {
	micros, err := c(ctx, request.GetSellerIds())
	if err != nil {
		return nil, err
	}
	return &qnav1.LastResponse{Micros: micros}, nil
}
