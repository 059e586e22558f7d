package store

import (
	"context"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/orders/internal/order"
)

// Find returns the seller's view of a paid order. ORDER_NOT_FOUND when there is no such order, when it has no items of this
// seller, and while it is not paid.
func (s *Store) Find(ctx context.Context, sellerID uuid.UUID, orderNo string) (*order.Order, error) {
	orders, err := s.orders(ctx, sellerID, 1, page("FindOrder", queries.Text("FindOrder")), sellerID, orderNo)
	if err != nil {
		return nil, err
	}
	if len(orders) == 0 {
		return nil, apierr.OrderNotFound
	}
	return &orders[0], nil
}
