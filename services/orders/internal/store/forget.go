package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// Forget records that a member withdraws now, deletes the personal data of the member's orders from before, paid or not, and
// returns how many orders had any. An order that is visible to sellers gets a new updated_at for each of them. Each order has
// its own transaction; a call that is interrupted can be repeated, which is another withdrawal.
func (s *Store) Forget(ctx context.Context, memberID string) (int, error) {
	withdrawnAt, err := s.withdraw(ctx, memberID)
	if err != nil {
		return 0, err
	}
	numbers, err := s.ordersOfMember(ctx, memberID)
	if err != nil {
		return 0, err
	}
	total := 0
	for _, number := range numbers {
		forgotten, err := s.forgetOrder(ctx, memberID, number, withdrawnAt)
		if err != nil {
			return total, err
		}
		if forgotten {
			total++
		}
	}
	return total, nil
}

// ordersOfMember returns the numbers of the orders that may have personal data of a member.
func (s *Store) ordersOfMember(ctx context.Context, memberID string) ([]string, error) {
	all := postgres.AllSellers(s.pool)
	numbers, err := postgres.Collect(ctx, all, pgx.RowTo[string], queries.SQL("OrdersOfMember"), memberID)
	return numbers, postgres.Classify(postgres.Wrap("find orders of member", err))
}

// forgetOrder deletes the personal data of an order in all its parts if the withdrawal covers it, and reports whether there was
// any.
func (s *Store) forgetOrder(ctx context.Context, memberID, orderNo string, withdrawnAt time.Time) (bool, error) {
	return postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) (bool, error) {
		placed, err := lockPlaced(ctx, tx, orderNo)
		if err != nil || !order.IsForgotten(withdrawnAt, placed.placedAt, placed.paidAt) {
			return false, err
		}
		had, err := placed.forget(ctx, tx, memberID, orderNo)
		if err != nil || !had {
			return false, err
		}
		return true, placed.touch(ctx, tx)
	})
}

func (o placedOrder) forget(ctx context.Context, tx pgx.Tx, memberID, orderNo string) (bool, error) {
	if _, err := tx.Exec(ctx, queries.SQL("ForgetMember"), memberID, orderNo); err != nil {
		return false, fmt.Errorf("forget member: %w", err)
	}
	tag, err := tx.Exec(ctx, queries.SQL("ForgetContacts"), o.sellers, o.id)
	return tag.RowsAffected() > 0, postgres.Wrap("forget contacts", err)
}

// touch gives the order a new updated_at for each of its sellers, as the last step of the transaction.
func (o placedOrder) touch(ctx context.Context, tx pgx.Tx) error {
	times, err := postgres.TickSellers(ctx, tx, o.sellers)
	if err != nil {
		return err
	}
	stamps := make([]time.Time, len(o.sellers))
	for i, seller := range o.sellers {
		stamps[i] = times[seller]
	}
	_, err = tx.Exec(ctx, queries.SQL("TouchOrder"), o.id, o.sellers, stamps)
	return postgres.Wrap("touch order", err)
}
