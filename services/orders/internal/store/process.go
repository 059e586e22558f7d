package store

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// Prepare brings items into preparing, in the caller's transaction. Codes: ORDER_NOT_FOUND and those of
// [order.Locked.Prepare].
func (s *Store) Prepare(ctx context.Context, tx postgres.Tx, call order.ProcessCommand) (order.ProcessResult, error) {
	return s.process(ctx, tx, call, func(o *order.Locked) (order.Processed, error) {
		return o.Prepare(call.SellerID, call.ItemIDs)
	})
}

// Ship ships items in one parcel, in the caller's transaction. Codes: ORDER_NOT_FOUND and those of [order.Locked.Ship].
func (s *Store) Ship(
	ctx context.Context, tx postgres.Tx, call order.ProcessCommand, parcel carrier.Shipment,
) (order.ProcessResult, error) {
	return s.process(ctx, tx, call, func(o *order.Locked) (order.Processed, error) {
		return o.Ship(call.SellerID, call.ItemIDs, parcel)
	})
}

// ShipAlone is Ship in a transaction of its own.
func (s *Store) ShipAlone(ctx context.Context, call order.ProcessCommand, parcel carrier.Shipment) (order.ProcessResult, error) {
	return postgres.InTxReturning(ctx, postgres.OfSeller(s.pool, call.SellerID),
		func(ctx context.Context, tx pgx.Tx) (order.ProcessResult, error) {
			return s.Ship(ctx, postgres.Pass(tx), call, parcel)
		})
}

// CorrectShipment puts items into another parcel, in the caller's transaction. Codes: ORDER_NOT_FOUND and those of
// [order.Locked.CorrectShipment].
func (s *Store) CorrectShipment(
	ctx context.Context, tx postgres.Tx, call order.ProcessCommand, parcel carrier.Shipment,
) (order.ProcessResult, error) {
	return s.process(ctx, tx, call, func(o *order.Locked) (order.Processed, error) {
		return o.CorrectShipment(call.SellerID, call.ItemIDs, parcel)
	})
}

// Deliver records the delivery of items, in the caller's transaction. Codes: ORDER_NOT_FOUND and those of
// [order.Locked.Deliver].
func (s *Store) Deliver(ctx context.Context, tx postgres.Tx, call order.ProcessCommand) (order.ProcessResult, error) {
	return s.process(ctx, tx, call, func(o *order.Locked) (order.Processed, error) {
		return o.Deliver(call.SellerID, call.ItemIDs, s.terms)
	})
}

func (s *Store) process(
	ctx context.Context, passed postgres.Tx, call order.ProcessCommand, decide func(*order.Locked) (order.Processed, error),
) (order.ProcessResult, error) {
	tx := postgres.Statements(passed)
	o, err := lockOrder(ctx, tx, call.SellerID, call.OrderNo, call.SellerID)
	if err != nil {
		return order.ProcessResult{}, err
	}
	decided, err := decide(o)
	if err != nil {
		return order.ProcessResult{}, err
	}
	written, err := s.save(ctx, tx, o, &decided.Plan)
	if err != nil {
		return order.ProcessResult{}, err
	}
	return processed(o, call.SellerID, written, decided), nil
}

func processed(o *order.Locked, seller uuid.UUID, written saved, decided order.Processed) order.ProcessResult {
	return order.ProcessResult{OrderNo: o.No, Status: written.status, UpdatedAt: written.updatedAt[seller], Items: decided.Items}
}
