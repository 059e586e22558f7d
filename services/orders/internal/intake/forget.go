package intake

import (
	"context"

	"connectrpc.com/connect"

	"sellerapi.dev/pkg/invalid"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// ForgetMember implements orders.v1.Intake.
func (s *Service) ForgetMember(
	ctx context.Context, request *connect.Request[ordersv1.ForgetMemberRequest],
) (*connect.Response[ordersv1.ForgetMemberResponse], error) {
	var problems invalid.Problems
	problems.Text("member_id", request.Msg.GetMemberId(), invalid.ID)
	if err := problems.Err(); err != nil {
		return nil, err
	}
	forgotten, err := s.Orders.Forget(ctx, request.Msg.GetMemberId())
	if err != nil {
		return nil, err
	}
	//nolint:gosec // there are fewer orders than that
	return connect.NewResponse(&ordersv1.ForgetMemberResponse{Orders: int32(forgotten)}), nil
}
