package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
)

// ErrActTaken says that the id of an act belongs to another one.
var ErrActTaken = errors.New("the id belongs to another act")

// addAct notes that an act changed an item, or found it as it wanted it. The parcel of the item must have been added before.
func addAct(ctx context.Context, tx pgx.Tx, act *order.Act, o *order.Locked, item *order.LockedItem) error {
	before := o.Item(item.ID)
	_, err := tx.Exec(ctx, queries.SQL("AddAct"), act.ID, item.ID, o.ID, item.SellerID, act.Operator, act.Reason,
		string(before.State), string(item.State), before.ParcelID, item.ParcelID, stamp(o.Now))
	if err != nil {
		return fmt.Errorf("note operator's act: %w", err)
	}
	return nil
}

// actDone reports whether an act was done before. ErrActTaken when its id belongs to one about another item, state or parcel.
func actDone(ctx context.Context, tx pgx.Tx, id string, item uuid.UUID, c order.Correction) (bool, error) {
	var actedItem uuid.UUID
	var actedTo order.State
	var name *carrier.Name
	var number *carrier.TrackingNo
	var left carrier.Shipment
	row := tx.QueryRow(ctx, queries.SQL("FindAct"), id)
	switch err := row.Scan(&actedItem, &actedTo, &name, &number, &left.Logistics); {
	case errors.Is(err, pgx.ErrNoRows):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("find operator's act: %w", err)
	case actedItem != item || actedTo != c.To:
		return false, ErrActTaken
	case c.Parcel == nil:
		return true, nil
	case name == nil:
		return false, ErrActTaken
	}
	left.Carrier, left.TrackingNo = *name, *number
	if !left.Same(*c.Parcel) {
		return false, ErrActTaken
	}
	return true, nil
}

// freeAct refuses an act whose id belongs to one about another order, or one that led elsewhere: ErrActTaken.
func freeAct(ctx context.Context, tx pgx.Tx, act *order.Act, o *order.Locked, to order.State) error {
	var taken bool
	if err := tx.QueryRow(ctx, queries.SQL("IsActTaken"), act.ID, o.ID, to).Scan(&taken); err != nil {
		return fmt.Errorf("find operator's act: %w", err)
	}
	if taken {
		return ErrActTaken
	}
	return nil
}
