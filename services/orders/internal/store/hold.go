package store

import (
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/actor"
	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// Open holds items of an order for a claim. facts encodes the answer from the decision; a repeated call gets the stored answer.
// Codes: ORDER_NOT_FOUND and those of [order.Locked.Open] and [order.Hold.Reopen]. Unavailable when a node of a distributed
// database has not committed the order, or an earlier call, yet.
func (s *Store) Open(
	ctx context.Context, orderNo string, hold *order.Hold, facts func(*order.Locked, order.Opened) ([]byte, error),
) (answer []byte, err error) {
	ctx = actor.As(ctx, actor.Claim)
	err = s.whenCommitted(ctx, orderNumbers, orderNo, func() error {
		answer, err = postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) ([]byte, error) {
			if answer, err := openedBefore(ctx, tx, hold); err != nil || answer != nil {
				return answer, err
			}
			o, err := lockKnown(ctx, tx, hold.SellerID, orderNo, hold.SellerID)
			if err != nil {
				return nil, err
			}
			return s.open(ctx, tx, o, hold, facts)
		})
		return err
	})
	return answer, err
}

func (s *Store) open(
	ctx context.Context, tx pgx.Tx, o *order.Locked, hold *order.Hold, facts func(*order.Locked, order.Opened) ([]byte, error),
) ([]byte, error) {
	// Checked again under the lock: a concurrent call with the same claim may have opened it. The hold itself is read, because the
	// node of its number may not have committed yet.
	before, answer, err := readHold(ctx, tx, hold.SellerID, hold.ClaimNo)
	if err == nil && len(before.Items) > 0 {
		err = before.Reopen(hold)
	}
	if err != nil || answer != nil {
		return answer, err
	}
	opened, err := o.Open(hold)
	if err != nil {
		return nil, err
	}
	if answer, err = facts(o, opened); err != nil {
		return nil, err
	}
	added, err := addHold(ctx, tx, o, hold, answer)
	if err != nil {
		return nil, err
	}
	if !added { // it was released concurrently
		return openedBefore(ctx, tx, hold)
	}
	_, err = s.save(ctx, tx, o, &opened.Plan)
	return answer, err
}

// openedBefore returns the stored answer to the claim, or nil if the claim is new.
func openedBefore(ctx context.Context, tx pgx.Tx, hold *order.Hold) ([]byte, error) {
	known, isKnown, err := findHeld(ctx, tx, hold.ClaimNo)
	switch {
	case err != nil || !isKnown:
		return nil, err
	case known.isNothing():
		return nil, (&order.Hold{State: order.HoldReleased}).Reopen(hold)
	}
	before, facts, err := readHeld(ctx, tx, known.seller, hold.ClaimNo)
	if err != nil {
		return nil, err
	}
	return facts, before.Reopen(hold)
}

// Release ends the hold of a claim that ended without effect. An unknown claim is marked as released, so that an Open that
// arrives late holds nothing.
func (s *Store) Release(ctx context.Context, claimNo string) error {
	_, err := s.Decide(ctx, claimNo, func(o *order.Locked, hold *order.Hold) (order.Hold, order.Plan, error) {
		return o.Release(hold, s.terms)
	})
	if !errors.Is(err, apierr.ClaimNotFound) {
		return err
	}
	marked, err := postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) (bool, error) {
		tag, err := tx.Exec(ctx, queries.SQL("MarkReleased"), claimNo)
		return tag.RowsAffected() == 1, err
	})
	if err != nil || marked {
		return err
	}
	known, _, err := findHeld(ctx, postgres.AllSellers(s.pool), claimNo)
	if err != nil || known.isNothing() {
		return err // it is marked
	}
	return s.Release(ctx, claimNo) // it was opened in the meantime
}

// Decide applies a step's rule to the order that a claim holds items of, saves the result, and returns the hold afterwards.
// Codes: CLAIM_NOT_FOUND, those of the rule, and IDEMPOTENCY_KEY_REUSED when the number of a return that takes over is in use by
// another hold, including the claim's own or an ended one.
func (s *Store) Decide(ctx context.Context, claimNo string, rule order.Rule) (order.Hold, error) {
	return s.decide(ctx, claimNo, rule, "")
}

// DecideOnce is Decide once for each step of a claim: a repetition has no effect.
func (s *Store) DecideOnce(ctx context.Context, claimNo, step string, rule order.Rule) (order.Hold, error) {
	return s.decide(ctx, claimNo, rule, step)
}

// decide is Decide, and DecideOnce if there is a step.
func (s *Store) decide(ctx context.Context, claimNo string, rule order.Rule, step string) (after order.Hold, err error) {
	ctx = actor.As(ctx, actor.Claim)
	err = s.whenCommitted(ctx, holdNumbers, claimNo, func() error {
		after, err = postgres.InTxReturning(ctx, postgres.AllSellers(s.pool), func(ctx context.Context, tx pgx.Tx) (order.Hold, error) {
			o, hold, err := lockHeld(ctx, tx, claimNo)
			if err != nil {
				return order.Hold{}, err
			}
			if step != "" {
				tag, err := tx.Exec(ctx, queries.SQL("AddTouch"), hold.SellerID, claimNo, step)
				if err != nil || tag.RowsAffected() == 0 {
					return *hold, postgres.Wrap("record a step", err)
				}
			}
			next, plan, err := rule(o, hold)
			if err != nil {
				return order.Hold{}, err
			}
			return next, s.saveHeld(ctx, tx, o, hold, &next, &plan)
		})
		return err
	})
	return after, err
}

// saveHeld writes a decision on a locked order and the hold of a claim; it writes nothing that is as before.
func (s *Store) saveHeld(ctx context.Context, tx pgx.Tx, o *order.Locked, before, hold *order.Hold, plan *order.Plan) error {
	saving := &pgx.Batch{}
	if !hold.Same(before) {
		queueHold(saving, hold, o.Now)
	}
	if plan.Taken != nil {
		added, err := addHold(ctx, tx, o, plan.Taken, nil)
		if err != nil {
			return err
		}
		if !added {
			return apierr.IdempotencyKeyReused
		}
	}
	_, err := s.saveAfter(ctx, tx, saving, o, plan)
	return err
}
