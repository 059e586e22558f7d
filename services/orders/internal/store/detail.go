package store

import (
	"context"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// Find returns the seller's view of a paid order. ORDER_NOT_FOUND when there is no such order, when it has no items of this
// seller, and while it is not paid.
func (s *Store) Find(ctx context.Context, sellerID uuid.UUID, orderNo string) (*order.Order, error) {
	found, err := selectPage(ctx, postgres.OfSeller(s.pool, sellerID), 1, page(queries.SQL("FindOrder")), sellerID, orderNo)
	if err != nil {
		return nil, err
	}
	if len(found.Rows) == 0 {
		return nil, apierr.OrderNotFound
	}
	return &found.Rows[0], nil
}
