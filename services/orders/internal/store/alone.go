package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// ShipAlone is Ship in a transaction of its own, which takes two round trips, and does not wait for others that ship at the
// same instant.
func (s *Store) ShipAlone(ctx context.Context, instant *Instant, call Process, parcel carrier.Shipment) (Processed, error) {
	at, err := instant.of(ctx, postgres.OfSeller(s.pool, call.SellerID), call.SellerID)
	if err != nil {
		return Processed{}, err
	}
	var o *order.Locked
	var decided order.Processed
	var written saved
	lock := func() *pgx.Batch { return lockingSellersOrder(call.SellerID, call.OrderNo) }
	err = postgres.InBatches(ctx, postgres.OfSeller(s.pool, call.SellerID), lock, func(results pgx.BatchResults) (writing *pgx.Batch, err error) {
		if o, err = readLocked(results, call.SellerID); err != nil {
			return nil, err
		}
		stamp := queueStamp
		if happenAt(o, at) {
			stamp = queueSharedStamp
		}
		if decided, err = o.Ship(call.SellerID, call.ItemIDs, parcel); err != nil {
			return nil, err
		}
		writing, written = queueSave(o, &decided.Plan, stamp)
		return writing, nil
	})
	if err != nil {
		return Processed{}, err
	}
	return processed(o, call.SellerID, written, decided), nil
}
