package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// lockSellersOrder locks a seller's order and reads it. ORDER_NOT_FOUND when the seller has no such paid order.
func lockSellersOrder(ctx context.Context, tx pgx.Tx, seller uuid.UUID, orderNo string) (*order.Locked, error) {
	return readLocked(tx.SendBatch(ctx, lockingSellersOrder(seller, orderNo)), seller)
}

// lockingSellersOrder are the statements of lockSellersOrder, whose results readLocked reads. Once the order is known to be the
// seller's, the rest of the transaction sees the rows of all its sellers: what one of them does changes the status that all see.
func lockingSellersOrder(seller uuid.UUID, orderNo string) *pgx.Batch {
	locking := &pgx.Batch{}
	locking.Queue(queries.SQL("LockSellersOrder"), seller, orderNo)
	postgres.QueueAllSellers(locking)
	locking.Queue(queries.SQL("ReadLocked"), orderNo)
	return locking
}

// lockPaidOrder locks an order for a caller who works for no seller. ORDER_NOT_FOUND when there is no such paid order.
func lockPaidOrder(ctx context.Context, tx pgx.Tx, orderNo string) (*order.Locked, error) {
	locking := &pgx.Batch{}
	locking.Queue(queries.SQL("LockPaidOrder"), orderNo)
	locking.Queue(queries.SQL("ReadLocked"), orderNo)
	return readLocked(tx.SendBatch(ctx, locking), uuid.Nil)
}

// readLocked reads the results of the statement that locks and of ReadLocked. Time goes on for the seller, or for all when there is
// none.
func readLocked(results pgx.BatchResults, seller uuid.UUID) (*order.Locked, error) {
	defer func() { _ = results.Close() }()
	locked, err := results.Exec()
	if err != nil {
		return nil, fmt.Errorf("lock order: %w", err)
	}
	if locked.RowsAffected() == 0 {
		return nil, apierr.OrderNotFound
	}
	if seller != uuid.Nil {
		_, _ = results.Exec() // when it fails, what is behind it does, with the same error
	}
	rows, err := results.Query()
	if err != nil {
		return nil, fmt.Errorf("read locked order: %w", err)
	}
	return scanLocked(rows, seller)
}

// scanLocked reads the rows of ReadLocked.
func scanLocked(rows pgx.Rows, seller uuid.UUID) (*order.Locked, error) {
	defer rows.Close()
	if err := requireBinary(rows.FieldDescriptions()); err != nil {
		return nil, err
	}
	o := &order.Locked{}
	for rows.Next() {
		r := &reader{values: rows.RawValues()}
		readLockedRow(r, o, seller)
		if r.err != nil {
			return nil, fmt.Errorf("read locked order: %w", r.err)
		}
	}
	if err := rows.Err(); err != nil {
		return nil, fmt.Errorf("read locked order: %w", err)
	}
	return o, nil
}

// readLockedRow reads an item and what comes with it, in the order of ReadLocked.
func readLockedRow(r *reader, o *order.Locked, seller uuid.UUID) {
	o.ID = r.int64()
	o.No = r.text()
	o.Currency = r.word()
	o.PaidAt = r.time()
	clock := r.time()
	o.Status = order.Status(r.word())
	part := order.LockedSeller{UpdatedAt: r.time(), ShippingFeePaid: r.int64(), PointUsed: r.int64()}
	item := order.LockedItem{
		Item: readItem(r), SellerID: r.uuid(), ProductID: r.text(), ParcelID: r.int64(), ClaimNo: r.text(), Gate: order.Gate(r.text()),
		Points: r.int64(),
	}
	o.Items = append(o.Items, item)
	o.Now = later(o.Now, clock)
	part.ID = item.SellerID
	if o.Seller(part.ID).ID == uuid.Nil {
		o.Sellers = append(o.Sellers, part)
	}
	if seller == uuid.Nil || seller == part.ID {
		// The clock may have been set back; two changes never share an instant.
		o.Now = later(o.Now, part.UpdatedAt.Add(time.Microsecond))
	}
}

// later returns the later of two times.
func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
