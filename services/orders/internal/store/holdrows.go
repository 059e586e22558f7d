package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// lockHeld locks the order that a claim holds items of, and reads the hold. CLAIM_NOT_FOUND when the claim never held any.
func lockHeld(ctx context.Context, tx pgx.Tx, claimNo string) (*order.Locked, *order.Hold, error) {
	orderNo, err := requireOrderOfHold(ctx, tx, claimNo)
	if err != nil {
		return nil, nil, err
	}
	o, err := lockPaidOrder(ctx, tx, orderNo)
	if err != nil {
		return nil, nil, err
	}
	hold, _, err := readHold(ctx, tx, claimNo)
	return o, hold, err
}

// requireOrderOfHold is the number of the order that a claim holds items of. CLAIM_NOT_FOUND when the claim never held any.
func requireOrderOfHold(ctx context.Context, tx pgx.Tx, claimNo string) (string, error) {
	orderNo, _, err := orderOfHold(ctx, tx, claimNo)
	if err == nil && orderNo == "" {
		return "", apierr.ClaimNotFound
	}
	return orderNo, err
}

// rowQueryer reads one row, in a transaction or without one.
type rowQueryer interface {
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
}

// orderOfHold is the number of the order that a claim holds items of, empty for a claim that was released before it held any;
// and whether the claim is known.
func orderOfHold(ctx context.Context, db rowQueryer, claimNo string) (orderNo string, known bool, err error) {
	var number *string
	switch err := db.QueryRow(ctx, queries.SQL("OrderOfHold"), claimNo).Scan(&number); {
	case errors.Is(err, pgx.ErrNoRows):
		return "", false, nil
	case err != nil:
		return "", false, fmt.Errorf("find order of claim: %w", postgres.Classify(err))
	case number == nil:
		return "", true, nil
	default:
		return *number, true, nil
	}
}

// readHold reads the hold of a claim that has one, and what the claim was answered when it was opened.
func readHold(ctx context.Context, tx pgx.Tx, claimNo string) (*order.Hold, []byte, error) {
	rows, err := tx.Query(ctx, queries.SQL("ReadHold"), claimNo)
	if err != nil {
		return nil, nil, fmt.Errorf("read hold: %w", err)
	}
	hold := &order.Hold{ClaimNo: claimNo}
	var facts []byte
	var item order.HoldItem
	var settled, exchange pgtype.UUID
	columns := []any{
		&hold.Type, &hold.SellerID, &hold.State, &hold.ReturnClaimNo, &hold.Sealed, &hold.CanceledReshipments, &hold.ShippedReshipment,
		&hold.Frozen, (*zeronull.Timestamptz)(&hold.FreezeChangedAt),
		&facts, &item.ItemID, &item.Quantity, &settled, &exchange,
	}
	_, err = pgx.ForEachRow(rows, columns, func() error {
		item.SettledItemID, item.ExchangeItemID = settled.Bytes, exchange.Bytes
		hold.Items = append(hold.Items, item)
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read hold: %w", err)
	}
	return hold, facts, nil
}

// addHold writes a new hold; false when the claim has one.
func addHold(ctx context.Context, tx pgx.Tx, orderID int64, hold *order.Hold, facts []byte) (bool, error) {
	tag, err := tx.Exec(ctx, queries.SQL("AddHold"), hold.ClaimNo, orderID, hold.SellerID, string(hold.Type), facts, hold.Sealed)
	if err != nil {
		return false, fmt.Errorf("add hold: %w", err)
	}
	if tag.RowsAffected() == 0 {
		return false, nil
	}
	items, quantities := make([]uuid.UUID, len(hold.Items)), make([]int64, len(hold.Items))
	for i, held := range hold.Items {
		items[i], quantities[i] = held.ItemID, held.Quantity
	}
	if _, err := tx.Exec(ctx, queries.SQL("AddHoldItems"), hold.ClaimNo, items, quantities); err != nil {
		return false, fmt.Errorf("add hold: %w", err)
	}
	return true, nil
}

// saveHold writes what has become of a hold.
func saveHold(ctx context.Context, tx pgx.Tx, hold *order.Hold) error {
	settled, exchange := make([]pgtype.UUID, len(hold.Items)), make([]pgtype.UUID, len(hold.Items))
	for i, held := range hold.Items {
		settled[i], exchange[i] = optionalUUID(held.SettledItemID), optionalUUID(held.ExchangeItemID)
	}
	saving := &pgx.Batch{}
	saving.Queue(queries.SQL("SaveHold"), hold.ClaimNo, string(hold.State), hold.ReturnClaimNo, hold.Sealed,
		append([]string{}, hold.CanceledReshipments...), hold.ShippedReshipment, hold.Frozen, stamp(hold.FreezeChangedAt))
	saving.Queue(queries.SQL("SaveHoldItems"), hold.ClaimNo, settled, exchange)
	if err := tx.SendBatch(ctx, saving).Close(); err != nil {
		return fmt.Errorf("save hold: %w", err)
	}
	return nil
}
