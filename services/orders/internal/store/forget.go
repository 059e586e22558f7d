package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
)

// forgetOrders is how many orders of a member one transaction changes: little enough to hold no seller's clock for long.
const forgetOrders = 100

// Forget deletes the personal data of a member's orders, paid or not, and returns how many orders had any. Those that sellers
// see are stamped for each of them. A call that dies in the middle is completed by the next one.
func (s *Store) Forget(ctx context.Context, memberID string) (int, error) {
	total := 0
	for {
		forgotten := 0
		err := postgres.InTx(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) error {
			rows, err := tx.Query(ctx, queries.SQL("ForgetContacts"), memberID, forgetOrders)
			if err != nil {
				return fmt.Errorf("forget contacts: %w", err)
			}
			ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
			if err != nil {
				return fmt.Errorf("forget contacts: %w", err)
			}
			forgotten = len(ids)
			return touchOrders(ctx, tx, ids)
		})
		if err != nil {
			return total, err
		}
		total += forgotten
		if forgotten < forgetOrders {
			return total, nil
		}
	}
}

// touchOrders gives locked orders a new updated_at for each of their sellers, as the last thing of the transaction.
func touchOrders(ctx context.Context, tx pgx.Tx, ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	rows, err := tx.Query(ctx, queries.SQL("SellersOfOrders"), ids)
	if err != nil {
		return fmt.Errorf("find sellers of orders: %w", err)
	}
	var sellers []uuid.UUID
	var orders []int64
	var seller uuid.UUID
	var id int64
	_, err = pgx.ForEachRow(rows, []any{&seller, &id}, func() error {
		sellers, orders = append(sellers, seller), append(orders, id)
		return nil
	})
	if err != nil {
		return fmt.Errorf("find sellers of orders: %w", err)
	}
	times, err := postgres.TickSellers(ctx, tx, sellers)
	if err != nil {
		return err
	}
	stamps := make([]time.Time, len(sellers))
	for i, seller := range sellers {
		stamps[i] = times[seller]
	}
	if _, err := tx.Exec(ctx, queries.SQL("TouchOrders"), sellers, orders, stamps); err != nil {
		return fmt.Errorf("touch orders: %w", err)
	}
	return nil
}
