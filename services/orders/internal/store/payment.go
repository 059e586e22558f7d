package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// EndPayment ends the payment of an order and reports whether that changed it; paidAt is zero unless it is paid. An order
// that becomes paid becomes visible to all its sellers. It is ORDER_NOT_FOUND when there is no such order and
// order.ErrPaymentEnded when the payment ended in another way.
func (s *Store) EndPayment(ctx context.Context, orderNo string, outcome order.Payment, paidAt time.Time) (bool, error) {
	var changed bool
	err := postgres.InTx(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) error {
		id, payment, err := lockOrder(ctx, tx, orderNo)
		if err != nil {
			return err
		}
		if changed, err = payment.End(outcome); err != nil || !changed {
			return err
		}
		return endPayment(ctx, tx, id, outcome, paidAt)
	})
	return changed && err == nil, err
}

// lockOrder locks an order until the end of the transaction.
func lockOrder(ctx context.Context, tx pgx.Tx, orderNo string) (int64, order.Payment, error) {
	var id int64
	var payment order.Payment
	err := tx.QueryRow(ctx, queries.SQL("LockOrder"), orderNo).Scan(&id, &payment)
	if errors.Is(err, pgx.ErrNoRows) {
		return 0, "", apierr.OrderNotFound
	}
	return id, payment, err
}

// endPayment changes a locked order.
func endPayment(ctx context.Context, tx pgx.Tx, id int64, outcome order.Payment, paidAt time.Time) error {
	if _, err := tx.Exec(ctx, queries.SQL("EndPayment"), id, string(outcome), stamp(paidAt)); err != nil {
		return fmt.Errorf("end payment: %w", err)
	}
	rows, err := tx.Query(ctx, queries.SQL("EndPaymentOfItems"), id, string(outcome.ItemState()))
	if err != nil {
		return fmt.Errorf("end payment of items: %w", err)
	}
	changes := []itemChange{}
	var change itemChange
	_, err = pgx.ForEachRow(rows, []any{&change.seller, &change.item}, func() error {
		changes = append(changes, itemChange{
			seller: change.seller, item: change.item, change: order.Change{To: outcome.ItemState(), At: paidAt},
		})
		return nil
	})
	if err != nil {
		return fmt.Errorf("end payment of items: %w", err)
	}
	if outcome != order.PaymentPaid {
		return nil // nobody sees the order, so nobody is told
	}
	return settle(ctx, tx, id, paidAt, changes)
}

// itemChange is an item that entered a state.
type itemChange struct {
	seller, item uuid.UUID
	change       order.Change
}

// settle ends a change of a locked, paid order: it notes the changes, rolls the items up, ticks the clocks of all sellers of
// the order and stamps their rows. It is the last thing before the commit.
func settle(ctx context.Context, tx pgx.Tx, id int64, paidAt time.Time, changes []itemChange) error {
	if err := addChanges(ctx, tx, id, changes); err != nil {
		return err
	}
	sellers, states, err := statesOfItems(ctx, tx, id)
	if err != nil {
		return err
	}
	times, err := postgres.TickSellers(ctx, tx, sellers)
	if err != nil {
		return err
	}
	var all order.Set
	for _, own := range states {
		all |= own
	}
	status, _ := order.RollUp(all)
	updatedAt := make([]pgtype.Timestamptz, len(sellers))
	statuses, lineStates := make([]string, len(sellers)), make([]string, len(sellers))
	for i, seller := range sellers {
		own, _ := order.RollUp(states[i])
		updatedAt[i], statuses[i] = stamp(times[seller]), string(own)
		lineStates[i] = wireStates(states[i])
	}
	_, err = tx.Exec(ctx, queries.SQL("StampOrder"), id, paidAt, string(status), sellers, updatedAt, statuses, lineStates)
	if err != nil {
		return fmt.Errorf("stamp order: %w", err)
	}
	return nil
}

// addChanges notes that items entered states.
func addChanges(ctx context.Context, tx pgx.Tx, id int64, changes []itemChange) error {
	sellers, items := make([]uuid.UUID, len(changes)), make([]uuid.UUID, len(changes))
	states, times := make([]string, len(changes)), make([]pgtype.Timestamptz, len(changes))
	for i, c := range changes {
		sellers[i], items[i], states[i], times[i] = c.seller, c.item, string(c.change.To), stamp(c.change.At)
	}
	if _, err := tx.Exec(ctx, queries.SQL("AddChanges"), id, sellers, states, times, items); err != nil {
		return fmt.Errorf("add status changes: %w", err)
	}
	return nil
}

// statesOfItems returns the sellers of an order and, at the same positions, the states that their items are in.
func statesOfItems(ctx context.Context, tx pgx.Tx, id int64) ([]uuid.UUID, []order.Set, error) {
	rows, err := tx.Query(ctx, queries.SQL("StatesOfItems"), id)
	if err != nil {
		return nil, nil, fmt.Errorf("read states of items: %w", err)
	}
	var sellers []uuid.UUID
	var sets []order.Set
	var seller uuid.UUID
	var states []string
	_, err = pgx.ForEachRow(rows, []any{&seller, &states}, func() error {
		var set order.Set
		for _, state := range states {
			set = set.With(order.State(state))
		}
		sellers, sets = append(sellers, seller), append(sets, set)
		return nil
	})
	if err != nil {
		return nil, nil, fmt.Errorf("read states of items: %w", err)
	}
	return sellers, sets, nil
}
