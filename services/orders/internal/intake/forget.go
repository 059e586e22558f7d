package intake

import (
	"context"

	"connectrpc.com/connect"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

// ForgetMember implements orders.v1.Intake.
func (s *Service) ForgetMember(
	ctx context.Context, request *connect.Request[ordersv1.ForgetMemberRequest],
) (*connect.Response[ordersv1.ForgetMemberResponse], error) {
	if err := refuse(order.CheckMemberID("member_id", request.Msg.GetMemberId())); err != nil {
		return nil, err
	}
	forgotten, err := s.Orders.Forget(ctx, request.Msg.GetMemberId())
	if err != nil {
		return nil, err
	}
	//nolint:gosec // fewer orders than that
	return connect.NewResponse(&ordersv1.ForgetMemberResponse{Orders: int32(forgotten)}), nil
}
