package store

import (
	"context"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// Confirm confirms purchases of an order and reports whether that changed anything. act is what an operator says of it, nil
// for a customer. Codes: ORDER_NOT_FOUND and those of [order.Locked.Confirm]; order.ErrNotConfirmable,
// ErrActTaken.
func (s *Store) Confirm(ctx context.Context, orderNo string, itemIDs []string, act *order.Act) (bool, error) {
	var changed bool
	err := postgres.InTx(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) error {
		o, err := lockPaidOrder(ctx, tx, orderNo)
		if err != nil {
			return err
		}
		by := order.Customer
		if act != nil {
			by = order.Operator
			if err := freeAct(ctx, tx, act, o, order.Confirmed); err != nil {
				return err
			}
		}
		done, err := o.Confirm(by, itemIDs)
		if err != nil {
			return err
		}
		changed = done.Plan.Stamps()
		if _, err = s.save(ctx, tx, o, &done.Plan); err != nil {
			return err
		}
		return addConfirmation(ctx, tx, act, o, &done.Plan)
	})
	if postgres.Violates(err, "operator_acts_pkey") {
		return false, ErrActTaken // by a call about another order, a moment ago
	}
	return changed && err == nil, err
}

// addConfirmation notes an operator's confirmation; a customer's is in the history, which is enough.
func addConfirmation(ctx context.Context, tx pgx.Tx, act *order.Act, o *order.Locked, plan *order.Plan) error {
	if act == nil {
		return nil
	}
	for i := range plan.Changed {
		if err := addAct(ctx, tx, act, o, &plan.Changed[i]); err != nil {
			return err
		}
	}
	return nil
}
