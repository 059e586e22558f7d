package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/postgres"
)

// ShipAlone is Ship in a transaction of its own, which takes two round trips, and does not wait for others that ship at the
// same instant.
func (s *Store) ShipAlone(ctx context.Context, instant *Instant, call Process, parcel carrier.Shipment) (Processed, error) {
	at, err := instant.of(ctx, s.pool, call.SellerID)
	if err != nil {
		return Processed{}, err
	}
	var done Processed
	err = postgres.InTx(ctx, brief{s.pool}, func(ctx context.Context, tx pgx.Tx) error {
		o, err := lockSellersOrder(ctx, tx, call.SellerID, call.OrderNo)
		if err != nil {
			return err
		}
		stamp := queueStamp
		if happenAt(o, at) {
			stamp = queueSharedStamp
		}
		decided, err := o.Ship(call.SellerID, call.ItemIDs, parcel)
		if err != nil {
			return err
		}
		written, err := s.saveWith(ctx, last{tx}, o, &decided.Plan, stamp)
		done = processed(o, call.SellerID, written, decided)
		return err
	})
	return done, err
}
