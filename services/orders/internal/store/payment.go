package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// EndPayment ends the payment of an order and reports whether that changed it; paidAt is zero unless it is paid. An order that
// becomes paid becomes visible to all its sellers. Errors: ORDER_NOT_FOUND when there is no such order, or with a seller that is
// not among those given, if any are; order.ErrPaymentEnded when the payment already ended with another outcome.
func (s *Store) EndPayment(ctx context.Context, orderNo string, outcome order.Payment,
	paidAt time.Time, among ...uuid.UUID,
) (changed bool, err error) {
	digestOf, err := s.members.digests(ctx, s.pool)
	if err != nil {
		return false, err
	}
	err = s.whenCommitted(ctx, orderNumbers, orderNo, func() error {
		changed, err = postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) (bool, error) {
			placed, err := lockPlaced(ctx, tx, orderNo)
			if err != nil {
				return false, err
			}
			if !placed.isAmong(among) {
				return false, apierr.OrderNotFound
			}
			if changed, err := placed.payment.End(outcome); err != nil || !changed {
				return false, err
			}
			paidAt := order.NotAfter(paidAt, placed.now)
			if err := placed.forgetPaid(ctx, tx, digestOf(placed.memberID), orderNo, paidAt); err != nil {
				return false, err
			}
			return true, placed.endPayment(ctx, tx, outcome, paidAt)
		})
		return err
	})
	return changed, err
}

// placedOrder is a locked order, paid or not.
type placedOrder struct {
	id       uuid.UUID
	payment  order.Payment
	memberID string
	sellers  []uuid.UUID
	// placedAt, paidAt and now are when it arrived, when it was paid, zero if it is not, and the time at which it was read.
	placedAt, paidAt, now time.Time
}

// isAmong reports whether all sellers are among those given; with none given they are.
func (o placedOrder) isAmong(sellers []uuid.UUID) bool {
	return len(sellers) == 0 || !slices.ContainsFunc(o.sellers, func(one uuid.UUID) bool { return !slices.Contains(sellers, one) })
}

// lockPlaced locks all parts of an order, paid or not, until the end of the transaction. ORDER_NOT_FOUND. Unavailable when a
// node of a distributed database has not committed a part yet.
func lockPlaced(ctx context.Context, tx pgx.Tx, orderNo string) (placedOrder, error) {
	sellers, err := sellersOf(ctx, tx, orderNo)
	if err != nil {
		return placedOrder{}, err
	}
	o := placedOrder{sellers: sellers}
	err = o.lock(ctx, tx, orderNo)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return o, apierr.Unavailable.Because(errUncommitted)
	case err != nil || len(sellers) == 1:
		return o, postgres.Wrap("lock order", err)
	}
	locking := &pgx.Batch{}
	queueLockParts(locking, sellers[1:], o.id)
	return o, postgres.Wrap("lock order", tx.SendBatch(ctx, locking).Close())
}

// lock locks the part of the first seller, the home's, and reads its id and payment. pgx.ErrNoRows when it is not there.
func (o *placedOrder) lock(ctx context.Context, tx pgx.Tx, orderNo string) error {
	var paidAt *time.Time
	err := tx.QueryRow(ctx, queries.SQL("LockOrder"), o.sellers[0], orderNo).Scan(&o.id, &o.payment, &o.memberID,
		&o.placedAt, &paidAt, &o.now)
	if paidAt != nil {
		o.paidAt = *paidAt
	}
	return err
}

// forgetPaid deletes the personal data of an order that was paid before its member withdrew and arrived after that.
func (o placedOrder) forgetPaid(ctx context.Context, tx pgx.Tx, member memberDigest, orderNo string, paidAt time.Time) error {
	withdrawnAt, err := lastWithdrawal(ctx, tx, member)
	if err != nil || !order.IsForgotten(withdrawnAt, o.placedAt, paidAt) {
		return err
	}
	_, err = o.forget(ctx, tx, o.memberID, orderNo)
	return err
}

func (o placedOrder) endPayment(ctx context.Context, tx pgx.Tx, outcome order.Payment, paidAt time.Time) error {
	if _, err := tx.Exec(ctx, queries.SQL("EndPayment"), o.sellers, o.id, string(outcome), stamp(paidAt)); err != nil {
		return fmt.Errorf("end payment: %w", err)
	}
	rows, _ := tx.Query(ctx, queries.SQL("EndPaymentOfItems"), o.sellers, o.id, string(outcome.ItemState()))
	changes := []itemChange{}
	var change itemChange
	_, err := pgx.ForEachRow(rows, []any{&change.seller, &change.item}, func() error {
		changes = append(changes, itemChange{
			seller: change.seller, item: change.item, change: order.StateChange{To: outcome.ItemState(), At: paidAt},
		})
		return nil
	})
	if err != nil {
		return fmt.Errorf("end payment of items: %w", err)
	}
	if outcome != order.PaymentPaid {
		return nil // no seller sees the order, so no notification is due
	}
	return o.settle(ctx, tx, paidAt, changes)
}

type itemChange struct {
	seller, item uuid.UUID
	change       order.StateChange
}

// settle completes the payment of a paid order: it records the changes, computes the order status from the items, ticks the
// clocks of all sellers of the order and updates their rows. It is the last step before the commit.
func (o placedOrder) settle(ctx context.Context, tx pgx.Tx, paidAt time.Time, changes []itemChange) error {
	if err := addChanges(ctx, tx, o.id, changes); err != nil {
		return err
	}
	sellers, err := o.standings(ctx, tx)
	if err != nil {
		return err
	}
	times, err := postgres.TickSellers(ctx, tx, o.sellers)
	if err != nil {
		return err
	}
	var all order.Set
	n := len(sellers)
	ids, lineStates, updatedAt, shipBy := make([]uuid.UUID, n), make([]int16, n), make([]pgtype.Timestamptz, n),
		make([]pgtype.Timestamptz, n)
	for i, seller := range sellers {
		all |= seller.States
		ids[i], lineStates[i], updatedAt[i] = seller.ID, stateBits(seller.States), stamp(times[seller.ID])
		shipBy[i] = stamp(seller.ShipBy)
	}
	status, _ := order.RollUp(all)
	_, err = tx.Exec(ctx, queries.SQL("StampOrder"), o.id, paidAt, statusCode(status), ids, updatedAt, lineStates, shipBy)
	return postgres.Wrap("stamp order", err)
}

func addChanges(ctx context.Context, tx pgx.Tx, id uuid.UUID, changes []itemChange) error {
	sellers, items := make([]uuid.UUID, len(changes)), make([]uuid.UUID, len(changes))
	states, times := make([]string, len(changes)), make([]pgtype.Timestamptz, len(changes))
	for i, c := range changes {
		sellers[i], items[i], states[i], times[i] = c.seller, c.item, string(c.change.To), stamp(c.change.At)
	}
	args := append([]any{id, sellers, states, times, items}, actor.Of(ctx).Columns()...)
	_, err := tx.Exec(ctx, queries.SQL("AddChanges"), args...)
	return postgres.Wrap("add status changes", err)
}

// standings returns the summaries of the items of the order's sellers.
func (o placedOrder) standings(ctx context.Context, tx pgx.Tx) ([]order.SellerStanding, error) {
	rows, _ := tx.Query(ctx, queries.SQL("StatesOfItems"), o.sellers, o.id)
	sellers, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (seller order.SellerStanding, err error) {
		var states []string
		err = row.Scan(&seller.ID, &states, (*zeronull.Timestamptz)(&seller.ShipBy))
		for _, state := range states {
			seller.States = seller.States.With(order.State(state))
		}
		return seller, err
	})
	return sellers, postgres.Wrap("read states of items", err)
}
