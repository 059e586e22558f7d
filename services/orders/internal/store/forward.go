package store

import (
	"context"
	"slices"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// Forward returns at most limit of the seller's orders that changed after the position, in the order of their changes.
func (s *Store) Forward(ctx context.Context, sellerID uuid.UUID, after paging.Position,
	limit int,
) (paging.ForwardPage[order.Order], error) {
	statement, args := forwardStatement(sellerID, after, limit+1)
	read := func(ctx context.Context, db postgres.Querier) (paging.Page[order.Order], error) {
		return selectPage(ctx, db, limit+1, statement, args...)
	}
	found, clock, err := postgres.PageForward(ctx, s.pool, sellerID, read)
	slices.Reverse(found.Rows) // ItemsOfPage returns the newest change first
	return paging.CutForward(found.Rows, limit, after, clock, positionOf), err
}

func forwardStatement(sellerID uuid.UUID, after paging.Position, rows int) (string, []any) {
	return page(queries.SQL("ForwardOrders")), []any{sellerID, rows, after.UpdatedAt, after.ID}
}
