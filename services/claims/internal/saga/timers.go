package saga

import (
	"context"
	"time"

	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

// ExpirePayment ends a claim whose shortfall was not paid in time.
func (s *Saga) ExpirePayment(ctx context.Context, due store.DueClaim) error {
	return s.decideDue(ctx, due, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision { return c.ExpirePayment(now) })
}

// PassUninspected passes the inspection of returned goods that were not inspected in time. If the orders service has released the
// lines, no money moves and the claim is frozen for an operator, see [claim.Claim.Abandon].
func (s *Saga) PassUninspected(ctx context.Context, due store.DueClaim) error {
	return s.decideDue(ctx, due, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.PassUninspected(now)
	})
}

// decideDue applies the rules, which check the due time again, and tries the steps that follow.
func (s *Saga) decideDue(ctx context.Context, due store.DueClaim, decide store.Deciding) error {
	outcome, err := s.claims.Change(ctx, due.SellerID, due.ClaimNo, decide)
	if err != nil || outcome.Decision.Verdict != claim.Execute {
		return err
	}
	_, _, _ = s.follow(ctx, due.SellerID, due.ClaimNo) // a sweep tries the remaining steps
	return nil
}
