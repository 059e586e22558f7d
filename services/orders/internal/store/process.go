package store

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// Process is a call of a seller that brings items of one order to a state.
type Process struct {
	SellerID uuid.UUID
	OrderNo  string
	// ItemIDs are the ids as sent by the client.
	ItemIDs []string
}

// Processed is an order after a Process call.
type Processed struct {
	OrderNo   string
	Status    order.Status
	UpdatedAt time.Time
	// Items are those of the call, in its order.
	Items []order.ProcessedItem
}

// Prepare brings items into preparing, in the caller's transaction. Codes: ORDER_NOT_FOUND and those of
// [order.Locked.Prepare].
func (s *Store) Prepare(ctx context.Context, tx Tx, call Process) (Processed, error) {
	return s.process(ctx, tx, call, func(o *order.Locked) (order.Processed, error) {
		return o.Prepare(call.SellerID, call.ItemIDs)
	})
}

// Ship ships items in one parcel, in the caller's transaction. Codes: ORDER_NOT_FOUND and those of [order.Locked.Ship].
func (s *Store) Ship(ctx context.Context, tx Tx, call Process, parcel carrier.Shipment) (Processed, error) {
	return s.process(ctx, tx, call, func(o *order.Locked) (order.Processed, error) {
		return o.Ship(call.SellerID, call.ItemIDs, parcel)
	})
}

// ShipAlone is Ship in a transaction of its own.
func (s *Store) ShipAlone(ctx context.Context, call Process, parcel carrier.Shipment) (Processed, error) {
	return postgres.InTxReturning(ctx, postgres.OfSeller(s.pool, call.SellerID),
		func(ctx context.Context, tx pgx.Tx) (Processed, error) {
			return s.Ship(ctx, tx, call, parcel)
		})
}

// Deliver records the delivery of items, in the caller's transaction. Codes: ORDER_NOT_FOUND and those of
// [order.Locked.Deliver].
func (s *Store) Deliver(ctx context.Context, tx Tx, call Process) (Processed, error) {
	return s.process(ctx, tx, call, func(o *order.Locked) (order.Processed, error) {
		return o.Deliver(call.SellerID, call.ItemIDs, s.terms)
	})
}

func (s *Store) process(
	ctx context.Context, tx Tx, call Process, decide func(*order.Locked) (order.Processed, error),
) (Processed, error) {
	o, err := lockOrder(ctx, tx, call.SellerID, call.OrderNo, call.SellerID)
	if err != nil {
		return Processed{}, err
	}
	decided, err := decide(o)
	if err != nil {
		return Processed{}, err
	}
	written, err := s.save(ctx, tx, o, &decided.Plan)
	if err != nil {
		return Processed{}, err
	}
	return processed(o, call.SellerID, written, decided), nil
}

func processed(o *order.Locked, seller uuid.UUID, written saved, decided order.Processed) Processed {
	return Processed{OrderNo: o.No, Status: written.status, UpdatedAt: written.updatedAt[seller], Items: decided.Items}
}
