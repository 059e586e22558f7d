package store

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// errMixed says that an order has several sellers, so that taking it needs more than a round trip.
var errMixed = errors.New("the order has several sellers")

// ShipAlone is Ship in a transaction of its own, which takes two round trips, and does not wait for others that ship at the
// same instant. An order of several sellers, whose clocks show several times, is shipped as Ship does it; so is one that is not
// there, because it may be in the archive, and so is each where lists are read from a replica, see "Lists from a replica" in
// package postgres.
func (s *Store) ShipAlone(ctx context.Context, instant *Instant, call Process, parcel carrier.Shipment) (Processed, error) {
	own := postgres.OfSeller(s.pool, call.SellerID)
	if s.pool.Replica != nil { // which knows of a change by its time alone
		return s.shipOnce(ctx, own, call, parcel)
	}
	at, err := instant.of(ctx, own, call.SellerID)
	if err != nil {
		return Processed{}, err
	}
	done, err := s.shipAt(ctx, own, at, call, parcel)
	if !errors.Is(err, errMixed) && !errors.Is(err, apierr.OrderNotFound) {
		return done, err
	}
	return s.shipOnce(ctx, own, call, parcel)
}

// shipOnce is Ship in a transaction of its own.
func (s *Store) shipOnce(ctx context.Context, own postgres.Scoped, call Process, parcel carrier.Shipment) (done Processed, err error) {
	err = postgres.InTx(ctx, own, func(ctx context.Context, tx pgx.Tx) error {
		done, err = s.Ship(ctx, tx, call, parcel)
		return err
	})
	return done, err
}

// shipAt ships items of an order of one seller: errMixed when it has several.
func (s *Store) shipAt(ctx context.Context, own postgres.Scoped, at time.Time, call Process, parcel carrier.Shipment) (Processed, error) {
	var mine part
	var decided order.Processed
	var written saved
	lock := func() *pgx.Batch { return lockingOwn(call.SellerID, call.OrderNo) }
	err := postgres.InBatches(ctx, own, lock, func(results pgx.BatchResults) (writing *pgx.Batch, err error) {
		if mine, err = readOwn(results, call.SellerID); err != nil {
			return nil, err
		}
		if mine.isMixed() {
			return nil, errMixed
		}
		stamp := queueStamp
		if happenAt(mine.order, at) {
			stamp = queueSharedStamp
		}
		if decided, err = mine.order.Ship(call.SellerID, call.ItemIDs, parcel); err != nil {
			return nil, err
		}
		writing, written = queueSave(mine.order, &decided.Plan, stamp)
		return writing, nil
	})
	if err != nil {
		return Processed{}, err
	}
	return processed(mine.order, call.SellerID, written, decided), nil
}
