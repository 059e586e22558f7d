package intake

import (
	"context"

	"connectrpc.com/connect"

	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/rpc"
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
	//nolint:gosec // there are fewer orders than that
	return rpc.Respond(&ordersv1.ForgetMemberResponse{Orders: int32(forgotten)}, err)
}
