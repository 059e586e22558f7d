package store

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
)

// forgetAtOnce is how many orders of a member one query returns at most.
const forgetAtOnce = 100

// Forget deletes the personal data of a member's orders, paid or not, and returns how many orders had any. An order that is visible
// to sellers gets a new updated_at for each of them. Each order has its own transaction; a call that is interrupted can be repeated.
func (s *Store) Forget(ctx context.Context, memberID string) (int, error) {
	total := 0
	for {
		numbers, err := s.ordersOfMember(ctx, memberID)
		if err != nil || len(numbers) == 0 {
			return total, err
		}
		for _, number := range numbers {
			forgotten, err := s.forgetOrder(ctx, memberID, number)
			if err != nil {
				return total, err
			}
			if forgotten {
				total++
			}
		}
	}
}

// ordersOfMember returns the numbers of some orders that may have personal data of a member.
func (s *Store) ordersOfMember(ctx context.Context, memberID string) ([]string, error) {
	all := postgres.AllSellers(s.pool)
	numbers, err := postgres.Collect(ctx, all, pgx.RowTo[string], queries.SQL("OrdersOfMember"), memberID, forgetAtOnce)
	return numbers, postgres.Classify(postgres.Wrap("find orders of member", err))
}

// forgetOrder deletes the personal data of an order in all its parts, and reports whether there was any.
func (s *Store) forgetOrder(ctx context.Context, memberID, orderNo string) (bool, error) {
	return postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) (bool, error) {
		placed, err := lockPlaced(ctx, tx, orderNo)
		if err != nil {
			return false, err
		}
		if _, err := tx.Exec(ctx, queries.SQL("ForgetMember"), memberID, orderNo); err != nil {
			return false, fmt.Errorf("forget member: %w", err)
		}
		tag, err := tx.Exec(ctx, queries.SQL("ForgetContacts"), placed.sellers, placed.id)
		if err != nil {
			return false, fmt.Errorf("forget contacts: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return false, nil
		}
		return true, placed.touch(ctx, tx)
	})
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
