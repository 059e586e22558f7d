package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/orders/internal/order"
)

// archiveInterval is the longest time between two searches for ended orders.
const archiveInterval = time.Minute

// findArchived is FindOrder with its items, read from the archive.
var findArchived = archivedPage("FindArchived", "FindOrder")

// archivedPage turns a statement that finds rows of seller_orders into one that finds them in the archive and returns orders.
func archivedPage(name, statement string) string {
	return postgres.Named(name, queries.Text("Archived")+", "+strings.TrimPrefix(withItems(queries.Text(statement)), "with "))
}

// ArchiveEnded returns the sweep that archives ended orders whose last change is at least this long ago.
func (s *Store) ArchiveEnded(after time.Duration) sweep.Sweep {
	find := func(ctx context.Context, limit int, last EndedOrder) ([]EndedOrder, error) {
		return s.EndedOrders(ctx, after, limit, last)
	}
	return sweep.Sweep{
		Name: "archive_orders", Interval: archiveInterval,
		Find: sweep.Walk(find, func(ended EndedOrder) sweep.Item {
			return sweep.Item{Key: ended.OrderNo, About: telemetry.Number(telemetry.OrderNo, ended.OrderNo), Do: func(ctx context.Context) error {
				archived, err := s.Archive(ctx, ended.DueOrder, after)
				return sweep.Did(archived, err)
			}}
		}),
	}
}

// EndedOrder is an order that may have ended, by one of its parts, with the last change of that part.
type EndedOrder struct {
	DueOrder

	UpdatedAt time.Time
}

// EndedOrders returns about limit orders that may have ended and were not changed for the given time: the first ones that were last
// changed later than a given one, the last of an earlier search. The zero value is before all.
func (s *Store) EndedOrders(ctx context.Context, after time.Duration, limit int, last EndedOrder) ([]EndedOrder, error) {
	ended, err := postgres.Collect(ctx, postgres.AllSellers(s.pool), pgx.RowToStructByPos[EndedOrder], queries.SQL("EndedOrders"),
		limit, after, last.UpdatedAt)
	return ended, postgres.Wrap("find completed orders", postgres.Classify(err))
}

// Archive moves an order into the archive, all sellers' parts in one transaction, and reports whether it did. It skips an order that
// has not ended, was changed since, or is archived already.
func (s *Store) Archive(ctx context.Context, ended DueOrder, after time.Duration) (bool, error) {
	archived, err := postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) (bool, error) {
		o, err := lockThere(ctx, tx, ended.SellerID, ended.OrderNo, noSeller)
		if err != nil || !o.EndedBefore(o.Now.Add(-after)) {
			return false, err
		}
		return archive(ctx, tx, o)
	})
	if errors.Is(err, apierr.OrderNotFound) {
		return false, nil
	}
	return archived, err
}

// archive moves a locked order into the archive, unless a claim holds items of it, and reports whether it did.
func archive(ctx context.Context, tx pgx.Tx, o *order.Locked) (bool, error) {
	sellers := make([]uuid.UUID, len(o.Sellers))
	for i, seller := range o.Sellers {
		sellers[i] = seller.ID
	}
	var held bool
	if err := tx.QueryRow(ctx, queries.SQL("HasActiveHold"), sellers, o.ID).Scan(&held); err != nil || held {
		return false, postgres.Wrap("find holds", err)
	}
	slices.SortFunc(sellers, func(a, b uuid.UUID) int { return bytes.Compare(a[:], b[:]) }) // clocks are locked in this order everywhere
	moving := &pgx.Batch{}
	for _, seller := range sellers {
		if len(sellers) > 1 {
			moving.Queue(queries.SQL("WriteClock"), seller)
		}
		moving.Queue(queries.SQL("ArchiveOrder"), seller, o.ID)
	}
	return true, postgres.Wrap("archive order", tx.SendBatch(ctx, moving).Close())
}

// bringBack restores a paid order that a seller has a part in from the archive, if it is there, and reports whether such an order
// exists at all. It restores the home's part first, so that a concurrent caller waits there and then finds the order restored.
// From here on the transaction sees the rows of all sellers of a mixed order, as in lockMixed.
func bringBack(ctx context.Context, tx pgx.Tx, seller uuid.UUID, orderNo string) (bool, error) {
	var sellers []uuid.UUID
	switch err := tx.QueryRow(ctx, queries.SQL("SellersOfKept"), seller, orderNo).Scan(&sellers); {
	case errors.Is(err, pgx.ErrNoRows):
		return false, nil
	case err != nil:
		return false, fmt.Errorf("find archived order: %w", err)
	}
	moving := &pgx.Batch{}
	if len(sellers) > 1 {
		postgres.QueueAllSellers(moving)
	}
	for _, one := range sellers {
		moving.Queue(queries.SQL("BringBack"), one, orderNo)
	}
	return true, postgres.Wrap("bring order back", tx.SendBatch(ctx, moving).Close())
}

// BringBack restores an order from the archive for an operator, and reports whether it was there. It gets a new updated_at for each
// of its sellers, so that they see it in their lists and it is not archived again at once.
func (s *Store) BringBack(ctx context.Context, orderNo string) (bool, error) {
	return postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) (bool, error) {
		sellers, err := sellersOf(ctx, tx, orderNo)
		if err != nil {
			return false, err
		}
		placed := placedOrder{sellers: sellers}
		if err = placed.lock(ctx, tx, orderNo); !errors.Is(err, pgx.ErrNoRows) {
			return false, postgres.Wrap("lock order", err) // it is not in the archive
		}
		if placed, err = lockPlaced(ctx, tx, orderNo); err != nil {
			return false, err
		}
		return true, placed.touch(ctx, tx)
	})
}

// findKept finds an order in the live tables or in the archive, in one snapshot.
func (s *Store) findKept(ctx context.Context, sellerID uuid.UUID, orderNo string) ([]order.Order, error) {
	var found []order.Order
	err := postgres.InSnapshot(ctx, postgres.OfSeller(s.pool, sellerID), func(ctx context.Context, tx pgx.Tx) error {
		for _, statement := range []string{findArchived, page("FindOrder", queries.Text("FindOrder"))} {
			rows, err := tx.Query(ctx, statement, sellerID, orderNo)
			if err != nil {
				return err
			}
			if found, err = readOrders(rows, 1); err != nil || len(found) > 0 {
				return err
			}
		}
		return nil
	})
	return found, err
}
