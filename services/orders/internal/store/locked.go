package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// The statements that read parts of orders: one seller's of any, and all of one.
var (
	readPart  = postgres.Named("ReadPart", postgres.Fill(queries.Text("ReadParts"), "parts", queries.Text("OwnParts")))
	readParts = postgres.Named("ReadParts", postgres.Fill(queries.Text("ReadParts"), "parts", queries.Text("AllParts")))
)

// noSeller is the seller id of a caller that works for no single seller.
var noSeller = uuid.Nil

// lockOrder locks a paid order that a seller has a part in, and reads all its parts. now is the seller whose clock advances, or
// noSeller to advance the clocks of all. ORDER_NOT_FOUND when the seller has no such order.
//
// An order of one seller, the common case, takes one round trip and sees and touches only the rows of that seller. The home can
// be another seller only if the order has several; then the home's part is locked before the others, which prevents deadlocks.
// Unavailable when a node of a distributed database has not committed an earlier change of the order yet, and waiting for it is
// not possible.
func lockOrder(ctx context.Context, tx pgx.Tx, seller uuid.UUID, orderNo string, now uuid.UUID) (*order.Locked, error) {
	own, err := readOwn(tx.SendBatch(ctx, lockingOwn(seller, orderNo)), now)
	if err != nil || !own.isMixed() {
		return own.order, err
	}
	return lockMixed(ctx, tx, own.home, orderNo, now)
}

// lockPaidOrder is lockOrder for a caller that has only the order number.
func lockPaidOrder(ctx context.Context, tx pgx.Tx, orderNo string) (*order.Locked, error) {
	sellers, err := sellersOf(ctx, tx, orderNo)
	if err != nil {
		return nil, err
	}
	return lockKnown(ctx, tx, sellers[0], orderNo, noSeller)
}

// lockKnown is lockOrder for the marketplace, which may know an order that a node of a distributed database has not committed
// yet. That is Unavailable: ORDER_NOT_FOUND is final.
func lockKnown(ctx context.Context, tx pgx.Tx, seller uuid.UUID, orderNo string, now uuid.UUID) (*order.Locked, error) {
	o, err := lockOrder(ctx, tx, seller, orderNo, now)
	if !errors.Is(err, apierr.OrderNotFound) {
		return o, err
	}
	sellers, err := sellersOf(ctx, tx, orderNo)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(sellers, seller) {
		return nil, apierr.OrderNotFound
	}
	for _, one := range []uuid.UUID{sellers[0], seller} {
		part := placedOrder{sellers: []uuid.UUID{one}}
		err := part.lock(ctx, tx, orderNo)
		switch {
		case errors.Is(err, pgx.ErrNoRows), err == nil && part.payment == order.PaymentPaid:
			return nil, apierr.Unavailable.Because(errUncommitted)
		case err != nil:
			return nil, fmt.Errorf("lock order: %w", err)
		}
	}
	return nil, apierr.OrderNotFound // it is not paid
}

// sellersOf returns the sellers of an order, its home first. ORDER_NOT_FOUND.
func sellersOf(ctx context.Context, tx pgx.Tx, orderNo string) ([]uuid.UUID, error) {
	var sellers []uuid.UUID
	err := tx.QueryRow(ctx, queries.SQL("FindSellers"), orderNo).Scan(&sellers)
	return sellers, postgres.WrapRow("find sellers of order", err, apierr.OrderNotFound)
}

// part is one seller's part of an order, with the order's home and its number of sellers.
type part struct {
	order   *order.Locked
	home    uuid.UUID
	sellers int
}

func (p part) isMixed() bool { return p.sellers > 1 }

// lockingOwn returns the statements that lock the order if the seller is its home, and read the seller's part. readOwn reads
// their results.
func lockingOwn(seller uuid.UUID, orderNo string) *pgx.Batch {
	locking := &pgx.Batch{}
	locking.Queue(queries.SQL("LockHome"), seller, orderNo)
	locking.Queue(readPart, seller, []string{orderNo})
	return locking
}

// readOwn reads the results of lockingOwn. The part of a mixed order is not locked yet.
func readOwn(results pgx.BatchResults, now uuid.UUID) (part, error) {
	defer func() { _ = results.Close() }()
	locked, err := results.Exec()
	if err != nil {
		return part{}, fmt.Errorf("lock order: %w", err)
	}
	rows, err := results.Query()
	if err != nil {
		return part{}, fmt.Errorf("read locked order: %w", err)
	}
	own, err := scanParts(rows, now)
	switch {
	case err != nil:
		return part{}, err
	case len(own.order.Items) == 0, !own.isMixed() && locked.RowsAffected() == 0: // or paid after the attempt to lock it
		return part{}, apierr.OrderNotFound
	}
	return own, nil
}

// lockMixed locks an order of several sellers, its home first, and reads all parts. The caller has checked that it has a part
// in the order; Unavailable when the node of the home has not committed that it is paid yet. From here on the transaction sees
// the rows of all sellers, because a change by one of them changes the status for all.
func lockMixed(ctx context.Context, tx pgx.Tx, home uuid.UUID, orderNo string, now uuid.UUID) (*order.Locked, error) {
	locking := &pgx.Batch{}
	postgres.QueueAllSellers(locking)
	var sellers []uuid.UUID
	var id uuid.UUID
	locking.Queue(queries.SQL("LockHome"), home, orderNo).QueryRow(func(row pgx.Row) error { return row.Scan(&sellers, &id) })
	if err := tx.SendBatch(ctx, locking).Close(); err != nil {
		return nil, postgres.WrapRow("lock order", err, apierr.Unavailable.Because(errUncommitted))
	}
	reading := &pgx.Batch{}
	queueLockParts(reading, sellers[1:], id)
	var all part
	reading.Queue(readParts, sellers, orderNo).Query(func(rows pgx.Rows) (err error) {
		all, err = scanParts(rows, now)
		return err
	})
	err := tx.SendBatch(ctx, reading).Close()
	return all.order, postgres.Wrap("read order", err)
}

// errUncommitted says that a node of a distributed database has not committed what another node already shows.
var errUncommitted = errors.New("a node has not committed an earlier change yet")

// queueLockParts adds the statements that lock the parts of an order that other sellers than its home have. The home's part is
// locked. Unavailable when one is not there yet.
func queueLockParts(locking *pgx.Batch, others []uuid.UUID, id uuid.UUID) {
	for _, seller := range others {
		locking.Queue(queries.SQL("LockPart"), seller, id).Exec(func(tag pgconn.CommandTag) error {
			if tag.RowsAffected() == 0 {
				return apierr.Unavailable.Because(errUncommitted)
			}
			return nil
		})
	}
}

func scanParts(rows pgx.Rows, now uuid.UUID) (part, error) {
	read := part{order: &order.Locked{}}
	var row lockedRow
	_, err := pgx.ForEachRow(rows, row.targets(), func() error {
		read.home, read.sellers = row.home, row.sellers
		row.addTo(read.order, now)
		return nil
	})
	return read, postgres.Wrap("read locked order", err)
}

// scanOwned reads orders of one seller, who is the home of each.
func scanOwned(rows pgx.Rows) (map[string]*order.Locked, error) {
	orders := map[string]*order.Locked{}
	var row lockedRow
	_, err := pgx.ForEachRow(rows, row.targets(), func() error {
		if orders[row.no] == nil {
			orders[row.no] = &order.Locked{}
		}
		row.addTo(orders[row.no], noSeller)
		return nil
	})
	return orders, postgres.Wrap("read locked orders", err)
}

// lockedRow is what a row of ReadParts is scanned into.
type lockedRow struct {
	home          uuid.UUID
	sellers       int
	id            uuid.UUID
	no, currency  string
	paidAt, clock time.Time
	status        int16
	seller        order.LockedSeller
	item          order.LockedItem
}

func (r *lockedRow) targets() []any {
	targets := []any{
		&r.home, &r.sellers, &r.id, &r.no, &r.currency, &r.paidAt, &r.clock,
		&r.status, &r.seller.UpdatedAt, &r.seller.ShippingFeePaid, &r.seller.PointUsed,
	}
	targets = append(targets, itemTargets(&r.item.Item)...)
	return append(targets, &r.item.SellerID, &r.item.ProductID, (*zeronull.UUID)(&r.item.ParcelID),
		(*zeronull.Text)(&r.item.ClaimNo), (*zeronull.Text)(&r.item.Gate), &r.item.Points)
}

func (r *lockedRow) addTo(o *order.Locked, now uuid.UUID) {
	o.ID, o.No, o.Currency, o.PaidAt, o.Status = r.id, r.no, r.currency, r.paidAt, statusCodes[r.status]
	o.Items = append(o.Items, r.item)
	o.Now = later(o.Now, r.clock)
	r.seller.ID = r.item.SellerID
	if o.Seller(r.seller.ID).ID == uuid.Nil {
		o.Sellers = append(o.Sellers, r.seller)
	}
	if now == noSeller || now == r.seller.ID {
		// The clock may have been set back; two changes never share an instant.
		o.Now = later(o.Now, r.seller.UpdatedAt.Add(time.Microsecond))
	}
}

func later(a, b time.Time) time.Time {
	if b.After(a) {
		return b
	}
	return a
}
