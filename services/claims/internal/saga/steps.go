package saga

import (
	"context"
	"fmt"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/store"
)

// work does what a step is for. Every case can be done any number of times.
func (s *Saga) work(ctx context.Context, step store.Step) error {
	if step.Name == claim.OpenLines {
		return s.openLater(ctx, step)
	}
	c, err := s.claims.Get(ctx, step.SellerID, step.ClaimNo)
	if err != nil {
		return err
	}
	switch step.Name {
	case claim.TouchOrder:
		return s.lines.Touch(ctx, c.No, step.Ref)
	case claim.ReleaseLines:
		return s.lines.Release(ctx, c.No)
	case claim.ConvertLines:
		return s.convertLines(ctx, step, &c)
	case claim.ConvertHold:
		return s.lines.Convert(ctx, c.No, c.ReplacedBy)
	case claim.AddExchangeLine:
		return s.addExchangeLine(ctx, step, &c)
	case claim.OpenExchangeLine:
		return s.lines.AddExchangeLine(ctx, &c, false)
	case claim.ShipExchangeLine:
		return s.shipExchangeLine(ctx, step, &c)
	case claim.PayRefunds:
		return s.payRefunds(ctx, &c)
	case claim.FinishClaim:
		return s.finish(ctx, &c)
	default:
		return fmt.Errorf("step %d is %q, which nobody knows", step.ID, step.Name)
	}
}

// convertLines hands the lines over, then completes the conversion that waits for that.
func (s *Saga) convertLines(ctx context.Context, step store.Step, c *claim.Claim) error {
	if !waits(c, claim.ConvertToReturn) {
		return nil
	}
	if err := s.lines.Convert(ctx, c.No, c.ReplacedBy); err != nil {
		return s.takeBack(ctx, step, c, claim.ConvertToReturn, err)
	}
	_, err := s.claims.Convert(ctx, c.SellerID, c.No,
		func(c *claim.Claim, policy claim.Policy, undone claim.Undone, now time.Time) claim.Conversion {
			return c.Convert(policy, s.around(undone), now)
		})
	return err
}

// addExchangeLine creates the replacing lines, then completes the inspection that waits for them.
func (s *Saga) addExchangeLine(ctx context.Context, step store.Step, c *claim.Claim) error {
	if !waits(c, claim.Inspect) {
		return nil
	}
	if err := s.lines.AddExchangeLine(ctx, c, true); err != nil {
		return s.takeBack(ctx, step, c, claim.Inspect, err)
	}
	return s.confirm(ctx, c, claim.Inspect, nil)
}

// shipExchangeLine ships the replacing lines, then completes the reshipment that waits for that.
func (s *Saga) shipExchangeLine(ctx context.Context, step store.Step, c *claim.Claim) error {
	if !waits(c, claim.Reship) {
		return nil
	}
	settled, err := s.lines.ShipExchangeLine(ctx, c.No, c.Performed.Of(claim.Reship).Values)
	if err != nil {
		return s.takeBack(ctx, step, c, claim.Reship, err)
	}
	return s.confirm(ctx, c, claim.Reship, settled)
}

// waits reports whether an action is registered and not done.
func waits(c *claim.Claim, action claim.Trigger) bool {
	pending := c.Performed.Pending()
	return pending != nil && pending.Action == action
}

// confirm completes a registered action.
func (s *Saga) confirm(ctx context.Context, c *claim.Claim, action claim.Trigger, settled []claim.Settled) error {
	_, err := s.claims.Change(ctx, c.SellerID, c.No, func(c *claim.Claim, undone claim.Undone, now time.Time) claim.Decision {
		return c.Confirm(action, settled, s.around(undone), now)
	})
	return err
}

// takeBack gives a registered action up that the order's side refuses, and returns the refusal. Only a parcel that cannot be
// booked now, EXCHANGE_ITEM_SHIP_FAILED, may be booked later.
func (s *Saga) takeBack(ctx context.Context, step store.Step, c *claim.Claim, action claim.Trigger, cause error) error {
	refusal := lines.Refusal(cause)
	if refusal == nil || refusal.Code == apierr.ExchangeItemShipFailed {
		return cause
	}
	registered := *c.Performed.Of(action)
	_, err := s.claims.Change(ctx, c.SellerID, c.No, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.Abandon(registered, now)
	})
	if err != nil {
		return err
	}
	if err := s.claims.FinishStep(ctx, step.ID); err != nil {
		return err
	}
	return cause
}

// finish settles the lines of a claim whose refund has succeeded or that has none, then completes it.
func (s *Saga) finish(ctx context.Context, c *claim.Claim) error {
	if c.Status != claim.RefundProcessing {
		return nil
	}
	settled, err := s.lines.Settle(ctx, c.No)
	if err != nil {
		return err
	}
	_, err = s.claims.Change(ctx, c.SellerID, c.No, finishing(settled))
	return err
}

// finishing completes a claim whose lines are settled.
func finishing(settled []claim.Settled) store.Deciding {
	return func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision { return c.Finish(settled, now) }
}
