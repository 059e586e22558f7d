package saga

import (
	"context"
	"time"

	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// service is the actor of background changes.
const service = "claims"

// ExpirePayment ends a claim whose shortfall was not paid in time.
func (s *Saga) ExpirePayment(ctx context.Context, due store.DueClaim) error {
	return s.decideDue(ctx, due, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision { return c.ExpirePayment(now) })
}

// PassUninspected passes the inspection of returned goods that were not inspected in time. If the orders service has released the
// lines, there is no caller to refuse, and no money may move: the claim is frozen for an operator.
func (s *Saga) PassUninspected(ctx context.Context, due store.DueClaim) error {
	c, err := s.claims.Get(ctx, due.SellerID, due.ClaimNo)
	if err != nil {
		return err
	}
	if at := c.InspectionDueAt; at == nil || c.PassUninspected(*at).Verdict != claim.Execute {
		return nil
	}
	holds, err := s.lines.Holds(ctx, c.No)
	if err != nil {
		return err
	}
	return s.decideDue(ctx, due, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		d := c.PassUninspected(now)
		if d.Verdict == claim.Execute && !holds {
			return c.SetFreeze(service, claim.FreezeOther, notHeld, now)
		}
		return d
	})
}

// decideDue applies the rules, which check the due time again, and tries the steps that follow.
func (s *Saga) decideDue(ctx context.Context, due store.DueClaim, decide store.Deciding) error {
	outcome, err := s.claims.Change(ctx, due.SellerID, due.ClaimNo, decide)
	if err != nil || outcome.Decision.Verdict != claim.Execute {
		return err
	}
	_ = s.follow(ctx, due.SellerID, due.ClaimNo) // a sweep tries the remaining steps
	return nil
}
