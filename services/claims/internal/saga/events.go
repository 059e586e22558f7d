package saga

import (
	"context"
	"time"

	"sellerapi.dev/services/claims/internal/claim"
)

// deciding is the rules' answer to something that happens to a claim.
type deciding func(c *claim.Claim, now time.Time) claim.Decision

// happen lets something happen to a claim that is named alone, tries what follows and returns the claim as it stands then.
// CLAIM_NOT_FOUND, or the refusal that the rules give.
func (s *Saga) happen(ctx context.Context, no string, decide deciding) (claim.Claim, error) {
	ctx = s.begin(ctx)
	seller, err := s.claims.Seller(ctx, no)
	if err != nil {
		return claim.Claim{}, err
	}
	outcome, err := s.claims.Change(ctx, seller, no, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return decide(c, now)
	})
	if err != nil || outcome.Decision.Verdict == claim.AlreadyDone {
		return outcome.Claim, err
	}
	return s.followed(ctx, seller, no)
}

// PayShortfall notes that the customer paid the shortfall. Refusals as those of claim.PayShortfall.
func (s *Saga) PayShortfall(ctx context.Context, no, paymentID string, amount int64) (claim.Claim, error) {
	return s.happen(ctx, no, func(c *claim.Claim, now time.Time) claim.Decision { return c.PayShortfall(paymentID, amount, now) })
}

// Withdraw ends a claim on the customer's wish. IDEMPOTENCY_UNRESOLVED when it is too late.
func (s *Saga) Withdraw(ctx context.Context, no string) (claim.Claim, error) {
	return s.happen(ctx, no, func(c *claim.Claim, now time.Time) claim.Decision { return c.Withdraw(now) })
}

// HoldInspection puts collected goods into an operator's hands. IDEMPOTENCY_UNRESOLVED when there is nothing to inspect.
func (s *Saga) HoldInspection(ctx context.Context, no, operator, reason string) (claim.Claim, error) {
	return s.happen(ctx, no, func(c *claim.Claim, now time.Time) claim.Decision { return c.HoldInspection(operator, reason, now) })
}

// Freeze refuses every action on a claim from now on. IDEMPOTENCY_UNRESOLVED when it has ended.
func (s *Saga) Freeze(ctx context.Context, no, operator, reason string) (claim.Claim, error) {
	return s.happen(ctx, no, func(c *claim.Claim, now time.Time) claim.Decision { return c.SetFreeze(operator, reason, now) })
}

// Unfreeze ends Freeze.
func (s *Saga) Unfreeze(ctx context.Context, no, operator string) (claim.Claim, error) {
	return s.happen(ctx, no, func(c *claim.Claim, now time.Time) claim.Decision { return c.LiftFreeze(operator, now) })
}

// Act performs an action on the seller's behalf; see Perform.
func (s *Saga) Act(ctx context.Context, no string, command claim.Command) (claim.Claim, error) {
	seller, err := s.claims.Seller(ctx, no)
	if err != nil {
		return claim.Claim{}, err
	}
	performed, _, err := s.Perform(ctx, seller, no, command)
	return performed, err
}
