package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/orders/internal/order"
)

// held identifies the order that a claim holds or held items of. The zero value is a claim that was released before it held any.
type held struct {
	seller  uuid.UUID
	orderNo string
}

func (h held) isNothing() bool { return h.orderNo == "" }

// findHeld returns the order that a claim holds items of, and false for an unknown claim.
func findHeld(ctx context.Context, db postgres.RowQuerier, claimNo string) (h held, known bool, err error) {
	var seller pgtype.UUID
	var orderNo *string
	switch err := db.QueryRow(ctx, queries.SQL("FindHold"), claimNo).Scan(&seller, &orderNo); {
	case errors.Is(err, pgx.ErrNoRows):
		return held{}, false, nil
	case err != nil:
		return held{}, false, fmt.Errorf("find order of claim: %w", postgres.Classify(err))
	case orderNo == nil:
		return held{}, true, nil
	default:
		return held{seller: seller.Bytes, orderNo: *orderNo}, true, nil
	}
}

// requireHeld is findHeld for a claim that holds or held items, and notes its order for span and log. CLAIM_NOT_FOUND when it
// never held any.
func requireHeld(ctx context.Context, tx pgx.Tx, claimNo string) (held, error) {
	h, _, err := findHeld(ctx, tx, claimNo)
	if err == nil && h.isNothing() {
		return held{}, apierr.ClaimNotFound
	}
	if err == nil {
		telemetry.Number(telemetry.OrderNo, h.orderNo).Note(ctx)
	}
	return h, err
}

// lockHeld locks the order that a claim holds items of, and reads the hold. CLAIM_NOT_FOUND when it never held any.
func lockHeld(ctx context.Context, tx pgx.Tx, claimNo string) (*order.Locked, *order.Hold, error) {
	h, err := requireHeld(ctx, tx, claimNo)
	if err != nil {
		return nil, nil, err
	}
	locking, hold := lockingOwn(h.seller, h.orderNo), &order.Hold{}
	unread := errUncommitted
	locking.Queue(queries.SQL("ReadHold"), h.seller, claimNo).Query(func(rows pgx.Rows) error {
		hold, _, unread = scanHold(rows, h.seller, claimNo)
		return unread
	})
	own, err := readOwn(tx.SendBatch(ctx, locking), noSeller)
	if err == nil && own.isMixed() { // its home was not locked
		if own.order, err = lockMixed(ctx, tx, own.home, h.orderNo, noSeller); err == nil {
			hold, _, unread = readHold(ctx, tx, h.seller, claimNo)
		}
	}
	if err == nil {
		err = committed(hold, unread)
	}
	return own.order, hold, err
}

// readHold reads the hold of a claim, and the stored answer to its Open. The hold has no items if it is not there.
func readHold(ctx context.Context, tx pgx.Tx, seller uuid.UUID, claimNo string) (*order.Hold, []byte, error) {
	rows, _ := tx.Query(ctx, queries.SQL("ReadHold"), seller, claimNo)
	return scanHold(rows, seller, claimNo)
}

func scanHold(rows pgx.Rows, seller uuid.UUID, claimNo string) (*order.Hold, []byte, error) {
	hold := &order.Hold{ClaimNo: claimNo, SellerID: seller}
	var facts []byte
	var item order.HoldItem
	var settled, exchange pgtype.UUID
	columns := []any{
		&hold.Type, &hold.State, &hold.ReturnClaimNo, &hold.Sealed, &hold.CanceledReshipments, &hold.ShippedReshipment,
		&hold.Frozen, (*zeronull.Timestamptz)(&hold.FreezeChangedAt),
		&facts, &item.ItemID, &item.Quantity, &settled, &exchange,
	}
	_, err := pgx.ForEachRow(rows, columns, func() error {
		item.SettledItemID, item.ExchangeItemID = settled.Bytes, exchange.Bytes
		hold.Items = append(hold.Items, item)
		return nil
	})
	return hold, facts, postgres.Wrap("read hold", err)
}

// readHeld is readHold for a claim that holds or held items. Unavailable when the node of the items has not committed them yet,
// while that of the claim's number has: what looks like a hold of nothing would be taken for final.
func readHeld(ctx context.Context, tx pgx.Tx, seller uuid.UUID, claimNo string) (*order.Hold, []byte, error) {
	hold, facts, err := readHold(ctx, tx, seller, claimNo)
	return hold, facts, committed(hold, err)
}

// committed returns the error of reading a hold that must be there.
func committed(hold *order.Hold, err error) error {
	if err == nil && len(hold.Items) == 0 {
		return apierr.Unavailable.Because(errUncommitted)
	}
	return err
}

// addHold writes a new hold on items of a locked order. It returns false if the claim is already known.
func addHold(ctx context.Context, tx pgx.Tx, o *order.Locked, hold *order.Hold, facts []byte) (bool, error) {
	tag, err := tx.Exec(ctx, queries.SQL("TakeHoldNumber"), hold.ClaimNo, hold.SellerID, o.No)
	if err != nil || tag.RowsAffected() == 0 {
		return false, postgres.Wrap("reserve number of hold", err)
	}
	items, quantities := make([]uuid.UUID, len(hold.Items)), make([]int64, len(hold.Items))
	for i, item := range hold.Items {
		items[i], quantities[i] = item.ItemID, item.Quantity
	}
	adding := &pgx.Batch{}
	adding.Queue(queries.SQL("AddHold"), hold.SellerID, hold.ClaimNo, o.ID, string(hold.Type), facts, hold.Sealed, stamp(o.Now))
	adding.Queue(queries.SQL("AddHoldItems"), hold.SellerID, hold.ClaimNo, items, quantities)
	return true, postgres.Wrap("add hold", tx.SendBatch(ctx, adding).Close())
}

func queueHold(saving *pgx.Batch, hold *order.Hold, now time.Time) {
	settled, exchange := make([]pgtype.UUID, len(hold.Items)), make([]pgtype.UUID, len(hold.Items))
	for i, held := range hold.Items {
		settled[i], exchange[i] = optionalUUID(held.SettledItemID), optionalUUID(held.ExchangeItemID)
	}
	saving.Queue(queries.SQL("SaveHold"), hold.SellerID, hold.ClaimNo, string(hold.State), hold.ReturnClaimNo, hold.Sealed,
		append([]string{}, hold.CanceledReshipments...), hold.ShippedReshipment, hold.Frozen, stamp(hold.FreezeChangedAt), now)
	saving.Queue(queries.SQL("SaveHoldItems"), hold.SellerID, hold.ClaimNo, settled, exchange)
}
