package store

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// Changed returns sellers of which orders have changed, as postgres.ChangedSellers does.
func (s *Store) Changed(ctx context.Context, after paging.Position, limit int) ([]postgres.SellerClock, time.Time, error) {
	return postgres.ChangedSellers(ctx, s.pool, after, limit)
}

// Private returns what no seller sees of a seller's orders, by their ids. It never changes but by new items.
func (s *Store) Private(ctx context.Context, sellerID uuid.UUID, ids []uuid.UUID) (map[uuid.UUID]order.Private, error) {
	found := make(map[uuid.UUID]order.Private, len(ids))
	rows, _ := postgres.OfSeller(s.pool, sellerID).Query(ctx, queries.SQL("PrivateOfOrders"), sellerID, ids)
	var id, item uuid.UUID
	var member, product string
	_, err := pgx.ForEachRow(rows, []any{&id, &member, &item, &product}, func() error {
		if _, known := found[id]; !known {
			found[id] = order.Private{MemberID: member, ProductIDs: map[uuid.UUID]string{}}
		}
		found[id].ProductIDs[item] = product
		return nil
	})
	return found, postgres.Classify(postgres.Wrap("read what sellers do not see of orders", err))
}
