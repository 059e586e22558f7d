package intake

import (
	"context"

	"sellerapi.dev/pkg/invalid"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

// SetSellerPolicy implements orders.v1.Intake.
func (s *Service) SetSellerPolicy(
	ctx context.Context, request *ordersv1.SetSellerPolicyRequest,
) (*ordersv1.SetSellerPolicyResponse, error) {
	var problems invalid.Problems
	seller := problems.UUID("seller_id", request.GetSellerId())
	if err := problems.Err(); err != nil {
		return nil, err
	}
	policy := order.Policy{ShipmentCorrection: request.GetShipmentCorrection()}
	return &ordersv1.SetSellerPolicyResponse{}, s.Orders.SetPolicy(ctx, seller, policy)
}
