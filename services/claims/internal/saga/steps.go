package saga

import (
	"context"
	"errors"
	"fmt"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/store"
)

// work executes a step and ends it. Every case is idempotent.
func (s *Saga) work(ctx context.Context, step store.Step, c *claim.Claim) error {
	var err error
	switch {
	case step.Name == claim.OpenLines:
		err = s.openLater(ctx, step)
	case step.Name == claim.TouchOrder:
		err = s.lines.Touch(ctx, step.ClaimNo, step.Ref)
	case step.Name == claim.FreezeLines:
		return s.freezeLines(ctx, step, c)
	case step.Name.IsAwaited():
		return s.runAwaited(ctx, step, c)
	case step.Name == claim.PayRefunds:
		err = s.payRefunds(ctx, c)
	case step.Name == claim.FinishClaim:
		return s.finish(ctx, step, c)
	default:
		err = fmt.Errorf("step %s has the unknown name %q", step.ID, step.Name)
	}
	if err != nil {
		return err
	}
	return s.claims.FinishStep(ctx, step)
}

// freezeLines reports to the orders service whether the claim is to be frozen, then carries out what is registered. It reports
// the current state, whichever change added the step.
func (s *Saga) freezeLines(ctx context.Context, step store.Step, c *claim.Claim) error {
	frozen := c.Freeze != nil && c.Freeze.Pending != claim.FreezeLifted
	if err := s.lines.Freeze(ctx, c.No, frozen, c.UpdatedAt); err != nil {
		return err
	}
	if c.Freeze == nil {
		return s.claims.FinishStep(ctx, step)
	}
	told := *c.Freeze
	_, err := s.claims.Conclude(ctx, step, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.ConfirmFreeze(told, now)
	})
	return err
}

// callOrders makes the request to the orders service that a registered decision waits for.
func (s *Saga) callOrders(
	ctx context.Context, name claim.Step, c *claim.Claim, registered *claim.Evidence,
) ([]claim.Settled, error) {
	switch name {
	case claim.TouchHeld:
		return nil, s.lines.TouchHeld(ctx, c.No, registered.Ref())
	case claim.ReleaseLines:
		return nil, s.lines.Release(ctx, c.No)
	case claim.SealLines:
		return nil, s.lines.Seal(ctx, c.No)
	case claim.AddExchangeLine:
		return nil, s.lines.AddExchangeLine(ctx, c)
	case claim.ShipExchangeLine:
		return s.lines.ShipExchangeLine(ctx, c.No, registered.Ref(), registered.Values)
	case claim.ConvertLines:
		return nil, s.convertLines(ctx, c)
	default:
		return nil, fmt.Errorf("no registered action waits for step %q", name)
	}
}

// runAwaited makes the request that a registered decision waits for, then completes the decision, or rolls it back on a refusal.
func (s *Saga) runAwaited(ctx context.Context, step store.Step, c *claim.Claim) error {
	registered, awaited := c.Awaits()
	if awaited != step.Name {
		return s.claims.FinishStep(ctx, step)
	}
	settled, err := s.callOrders(ctx, step.Name, c, registered)
	switch {
	case err != nil:
		return s.takeBack(ctx, step, c, *registered, err)
	case step.Name == claim.ConvertLines:
		return s.openReturn(ctx, step, c)
	default:
		_, err := s.claims.Conclude(ctx, step, func(c *claim.Claim, undone claim.Undone, now time.Time) claim.Decision {
			return c.Confirm(*registered, settled, s.around(undone), now)
		})
		return err
	}
}

func (s *Saga) openReturn(ctx context.Context, step store.Step, c *claim.Claim) error {
	_, err := s.claims.Convert(ctx, c.SellerID, c.No, c.ReplacedBy,
		func(c *claim.Claim, policy claim.Policy, undone claim.Undone, now time.Time) claim.Conversion {
			return c.Convert(policy, s.around(undone), now)
		})
	if err != nil {
		return err
	}
	return s.claims.FinishStep(ctx, step)
}

// waits reports whether a transition, or a change of the freeze, is registered and not done.
func waits(c *claim.Claim, trigger claim.Trigger) bool {
	pending := c.Performed.Pending()
	return pending != nil && pending.Trigger() == trigger || c.Freeze != nil && c.Freeze.Pending == trigger
}

// takeBack rolls back a registered decision that the orders service refuses, and returns the refusal. A parcel that cannot be
// booked now, EXCHANGE_ITEM_SHIP_FAILED, stays registered, as does a decision about which the orders service says nothing. A
// reshipment that an operator canceled is recorded as canceled: the operator's own call may arrive later, or be repeated.
func (s *Saga) takeBack(ctx context.Context, step store.Step, c *claim.Claim, registered claim.Evidence, cause error) error {
	refusal := lines.Refusal(cause)
	if refusal == nil || refusal.Code == apierr.ExchangeItemShipFailed {
		return errors.Join(cause, s.showWaiting(ctx, c, registered))
	}
	_, err := s.claims.Conclude(ctx, step, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		if registered.Action == claim.Reship && lines.Reason(refusal) == lines.Canceled {
			return c.CancelReshipment(registered, claim.Actor{Kind: claim.ByService}, "", now)
		}
		return c.Abandon(registered, now)
	})
	if err != nil {
		return err
	}
	return cause
}

// showWaiting shows the parcel of a reshipment that has to wait, even if the time for the answer is over.
func (s *Saga) showWaiting(ctx context.Context, c *claim.Claim, registered claim.Evidence) error {
	if registered.Action != claim.Reship || !registered.Hidden {
		return nil
	}
	_, err := s.claims.Change(context.WithoutCancel(ctx), c.SellerID, c.No,
		func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
			return c.ShowReshipment(registered, now)
		})
	return err
}

// finish settles the lines of a claim whose refund has succeeded or that has none, then completes the claim.
func (s *Saga) finish(ctx context.Context, step store.Step, c *claim.Claim) error {
	if c.Status != claim.RefundProcessing {
		return s.claims.FinishStep(ctx, step)
	}
	settled, err := s.lines.Settle(ctx, c.No)
	if err != nil {
		return err
	}
	_, err = s.claims.Conclude(ctx, step, finishing(settled))
	return err
}

func finishing(settled []claim.Settled) store.Deciding {
	return func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision { return c.Finish(settled, now) }
}
