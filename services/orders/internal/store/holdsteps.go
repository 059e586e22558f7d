package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/services/orders/internal/order"
)

func newID() uuid.UUID { return uuid.Must(uuid.NewV7()) }

// Settle completes a cancel or a return. Codes: CLAIM_NOT_FOUND and those of [order.Locked.Settle].
func (s *Store) Settle(ctx context.Context, claimNo string) (order.Hold, error) {
	return s.Change(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.Settle(hold, s.terms, newID)
	})
}

// Seal guarantees that a cancel or a return can settle. Codes: CLAIM_NOT_FOUND and those of [order.Locked.Seal].
func (s *Store) Seal(ctx context.Context, claimNo string) error {
	_, err := s.Change(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.Seal(hold)
	})
	return err
}

// AddExchangeItems creates the items that replace those that an exchange holds. Codes: CLAIM_NOT_FOUND and those of
// [order.Locked.AddExchangeItems].
func (s *Store) AddExchangeItems(ctx context.Context, claimNo string, wanted []order.Replacement) (order.Hold, error) {
	return s.Change(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.AddExchangeItems(hold, wanted, newID)
	})
}

// ShipExchange ships the replacement items and completes an exchange. Codes: CLAIM_NOT_FOUND and those of
// [order.Locked.ShipExchange].
func (s *Store) ShipExchange(ctx context.Context, claimNo, ref string, parcel carrier.Shipment) (order.Hold, error) {
	return s.Change(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.ShipExchange(hold, ref, parcel, s.terms, newID)
	})
}

// CancelReshipment prevents a reshipment from shipping. Codes: CLAIM_NOT_FOUND and those of [order.Hold.CancelReshipment].
func (s *Store) CancelReshipment(ctx context.Context, claimNo, ref string) error {
	_, err := s.Change(ctx, claimNo, func(_ *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		next, err := hold.CancelReshipment(ref)
		return next, order.Plan{}, err
	})
	return err
}

// Convert transfers the held items of an exchange to a return; with closeOnly, the replacement items are not canceled yet.
// Codes: CLAIM_NOT_FOUND, those of [order.Locked.Convert], and IDEMPOTENCY_KEY_REUSED when the return's number is in use by
// another hold, including the exchange's own or an ended one.
func (s *Store) Convert(ctx context.Context, claimNo, returnClaimNo string, seal, closeOnly bool) error {
	return s.changeHeld(ctx, claimNo, func(ctx context.Context, tx pgx.Tx, o *order.Locked, hold *order.Hold) error {
		ended, taken, plan, err := o.Convert(hold, returnClaimNo, seal, closeOnly)
		if err != nil || !plan.Stamps() {
			return err
		}
		if !ended.Same(hold) { // else a repetition cancels what was closed
			if err := saveConverted(ctx, tx, o, &ended, &taken); err != nil {
				return err
			}
		}
		_, err = s.save(ctx, tx, o, &plan)
		return err
	})
}

// saveConverted writes the hold of an exchange, which has ended, and the hold of the return that supersedes it.
func saveConverted(ctx context.Context, tx pgx.Tx, o *order.Locked, ended, taken *order.Hold) error {
	saving := &pgx.Batch{}
	queueHold(saving, ended, o.Now)
	if err := tx.SendBatch(ctx, saving).Close(); err != nil {
		return fmt.Errorf("save hold: %w", err)
	}
	added, err := addHold(ctx, tx, o, taken, nil)
	if err == nil && !added {
		err = apierr.IdempotencyKeyReused
	}
	return err
}

// Freeze records on a hold whether its claim is frozen. Codes: CLAIM_NOT_FOUND.
func (s *Store) Freeze(ctx context.Context, claimNo string, frozen bool, at time.Time) error {
	_, err := s.Change(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		next, plan := o.Freeze(hold, frozen, at)
		return next, plan, nil
	})
	return err
}

// Touch gives the order of a claim a new updated_at, once for each step. Codes: CLAIM_NOT_FOUND and, for a step that requires that
// the claim can complete, those of [order.Locked.TouchHeld].
func (s *Store) Touch(ctx context.Context, claimNo, step string, whileHeld bool) error {
	return s.changeHeld(ctx, claimNo, func(ctx context.Context, tx pgx.Tx, o *order.Locked, hold *order.Hold) error {
		tag, err := tx.Exec(ctx, queries.SQL("AddTouch"), hold.SellerID, claimNo, step)
		if err != nil {
			return fmt.Errorf("record touch: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		plan := o.Touch()
		if whileHeld {
			if plan, err = o.TouchHeld(hold); err != nil {
				return err
			}
		}
		_, err = s.save(ctx, tx, o, &plan)
		return err
	})
}
