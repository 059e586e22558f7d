package store

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/services/orders/internal/order"
)

// Correct puts an item into the state that an operator chose and reports whether that changed it. A repeated act changes nothing,
// even if the item has changed since. Codes: ORDER_NOT_FOUND and those of [order.Locked.Correct] and
// [order.Hold.Correctable]; order.ErrActTaken.
func (s *Store) Correct(ctx context.Context, orderNo, itemID string, c order.Correction, operator order.Act) (bool, error) {
	return s.withAct(actor.As(ctx, actor.Operator), orderNo, func(ctx context.Context, tx pgx.Tx) (bool, error) {
		o, err := lockPaidOrder(ctx, tx, orderNo)
		if err != nil {
			return false, err
		}
		return s.correct(ctx, tx, o, itemID, c, &operator)
	})
}

func (s *Store) correct(ctx context.Context, tx pgx.Tx, o *order.Locked, itemID string, c order.Correction,
	operator *order.Act,
) (bool, error) {
	found, err := o.Find(uuid.Nil, []string{itemID})
	if err != nil {
		return false, err
	}
	corrected := found[0]
	noted, err := beginAct(ctx, tx, operator, o, c.To)
	if err != nil {
		return false, err
	}
	if before, err := noted.done(ctx, tx, corrected, c.Parcel); err != nil || before {
		return false, err
	}
	if err := correctable(ctx, tx, corrected); err != nil {
		return false, err
	}
	plan, err := o.Correct(itemID, c, s.terms)
	if err != nil {
		return false, err
	}
	if len(plan.Changed) > 0 {
		corrected = &plan.Changed[0]
	}
	if _, err := s.save(ctx, tx, o, &plan); err != nil {
		return false, err
	}
	return plan.Stamps(), noted.add(ctx, tx, corrected)
}

// correctable returns an error if a claim holds the item and does not permit an operator to correct it.
func correctable(ctx context.Context, tx pgx.Tx, item *order.LockedItem) error {
	if item.ClaimNo == "" {
		return nil
	}
	hold, _, err := readHold(ctx, tx, item.SellerID, item.ClaimNo)
	if err != nil {
		return err
	}
	return hold.Correctable()
}
