package intake

import (
	"context"

	"sellerapi.dev/pkg/invalid"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// ForgetMember implements orders.v1.Intake.
func (s *Service) ForgetMember(ctx context.Context,
	request *ordersv1.ForgetMemberRequest,
) (*ordersv1.ForgetMemberResponse, error) {
	var problems invalid.Problems
	problems.Text("member_id", request.GetMemberId(), invalid.ID)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	forgotten, err := s.Orders.Forget(ctx, request.GetMemberId())
	//nolint:gosec // there are fewer orders than that
	return &ordersv1.ForgetMemberResponse{Orders: int32(forgotten)}, err
}
