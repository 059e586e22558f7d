package intake

import (
	"context"
	"time"

	"sellerapi.dev/pkg/apierr"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

// SetShipBy implements orders.v1.Intake.
func (s *Service) SetShipBy(ctx context.Context, request *ordersv1.SetShipByRequest) (*ordersv1.SetShipByResponse, error) {
	c := &converter{checkItems(request.GetItemIds())}
	var at time.Time
	if request.GetShipBy() != nil {
		at = c.given("ship_by", request.GetShipBy())
		c.Append(order.CheckShipBy("ship_by", at)...)
	}
	if err := c.Err(); err != nil {
		return nil, err
	}
	if !order.IsNo(request.GetOrderNo()) {
		return nil, apierr.OrderNotFound
	}
	changed, err := s.Orders.SetShipBy(ctx, request.GetOrderNo(), request.GetItemIds(), at)
	return &ordersv1.SetShipByResponse{Changed: changed}, wireError(err)
}
