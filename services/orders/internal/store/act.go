package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// actNote is an operator's act on a locked order that is about to be recorded.
type actNote struct {
	*order.Act
	o  *order.Locked
	to order.State
	// known is set when the act is already recorded, by this call or an earlier one.
	known bool
}

// beginAct looks up whether an act is already recorded. order.ErrActTaken when its id is recorded for another order or another
// target state.
func beginAct(ctx context.Context, tx pgx.Tx, begun *order.Act, o *order.Locked, to order.State) (*actNote, error) {
	a := &actNote{Act: begun, o: o, to: to}
	var orderID uuid.UUID
	var ledTo order.State
	switch err := tx.QueryRow(ctx, queries.SQL("FindAct"), a.ID).Scan(&orderID, &ledTo); {
	case errors.Is(err, pgx.ErrNoRows):
		return a, nil
	case err != nil:
		return nil, fmt.Errorf("find operator's act: %w", err)
	case orderID != o.ID || ledTo != to:
		return nil, order.ErrActTaken
	}
	a.known = true
	return a, nil
}

// done reports whether the act is already recorded for the item. order.ErrActTaken when it is recorded for another item, or for
// this item with another parcel; a nil parcel matches any.
func (a *actNote) done(ctx context.Context, tx pgx.Tx, item *order.LockedItem, parcel *carrier.Shipment) (bool, error) {
	if !a.known {
		return false, nil
	}
	var name *carrier.Name
	var number *carrier.TrackingNo
	var left carrier.Shipment
	row := tx.QueryRow(ctx, queries.SQL("FindActOnItem"), item.SellerID, a.ID, item.ID)
	switch err := row.Scan(&name, &number, &left.Logistics); {
	case errors.Is(err, pgx.ErrNoRows):
		return false, order.ErrActTaken
	case err != nil:
		return false, fmt.Errorf("find operator's act: %w", err)
	case parcel == nil:
		return true, nil
	case name == nil:
		return false, order.ErrActTaken
	}
	left.Carrier, left.TrackingNo = *name, *number
	if !left.Same(*parcel) {
		return false, order.ErrActTaken
	}
	return true, nil
}

// add records that the act changed an item, or that the item already was in the target state. The item's parcel must exist
// already.
func (a *actNote) add(ctx context.Context, tx pgx.Tx, item *order.LockedItem) error {
	adding := &pgx.Batch{}
	if !a.known {
		adding.Queue(queries.SQL("TakeAct"), a.ID, a.o.ID, string(a.to))
	}
	before := a.o.Item(item.ID)
	adding.Queue(queries.SQL("AddAct"), item.SellerID, a.ID, item.ID, a.o.ID, a.Operator, a.Reason,
		string(before.State), string(item.State), optionalUUID(before.ParcelID), optionalUUID(item.ParcelID), stamp(a.o.Now))
	if err := tx.SendBatch(ctx, adding).Close(); err != nil {
		return fmt.Errorf("record operator's act: %w", err)
	}
	a.known = true
	return nil
}

// withAct makes an attempt of a call about an order, perhaps with an act, in a transaction, and another one if a concurrent
// transaction took the act's id since it was looked up: now it is visible, and it may be that of the same act. order.ErrActTaken
// when it is not.
func (s *Store) withAct(
	ctx context.Context, orderNo string, attempt func(ctx context.Context, tx pgx.Tx) (bool, error),
) (changed bool, err error) {
	call := func() error {
		changed, err = postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), attempt)
		return err
	}
	err = s.whenCommitted(ctx, orderNumbers, orderNo, call)
	if postgres.Violates(err, "act_ids_pkey") {
		err = call()
	}
	return changed, err
}
