package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/services/orders/internal/order"
)

// Confirm confirms purchases of an order and reports whether that changed anything. operator is the operator's act, nil for a
// customer. Codes: ORDER_NOT_FOUND and those of [order.Locked.Confirm]; order.ErrNotConfirmable,
// order.ErrActTaken.
func (s *Store) Confirm(ctx context.Context, orderNo string, itemIDs []string, operator *order.Act) (bool, error) {
	by := order.Customer
	if operator != nil {
		by = order.Operator
	}
	return s.withAct(actor.As(ctx, actor.By(by)), orderNo, func(ctx context.Context, tx pgx.Tx) (bool, error) {
		o, err := lockPaidOrder(ctx, tx, orderNo)
		if err != nil {
			return false, err
		}
		var noted *actNote
		if operator != nil {
			if noted, err = beginAct(ctx, tx, operator, o, order.Confirmed); err != nil {
				return false, err
			}
		}
		done, err := o.Confirm(by, itemIDs)
		if err != nil {
			return false, err
		}
		if _, err = s.save(ctx, tx, o, &done.Plan); err != nil {
			return false, err
		}
		return done.Plan.Stamps(), addConfirmation(ctx, tx, noted, &done.Plan)
	})
}

// addConfirmation notes an operator's confirmation; a customer's is in the history, which is enough.
func addConfirmation(ctx context.Context, tx pgx.Tx, noted *actNote, plan *order.Plan) error {
	if noted == nil {
		return nil
	}
	for i := range plan.Changed {
		if err := noted.add(ctx, tx, &plan.Changed[i]); err != nil {
			return err
		}
	}
	return nil
}
