package saga

import (
	"context"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
)

// deciding is the rules' answer to something that happens to a claim.
type deciding func(c *claim.Claim, now time.Time) claim.Decision

// happen lets something happen to a claim that is named alone, tries what follows and returns the claim as it stands then.
// CLAIM_NOT_FOUND, or the refusal that the rules give. Unavailable and its like: it is registered, the order's side could not be asked,
// and it goes on by itself.
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
	problem := s.follow(ctx, seller, no)
	current, err := s.claims.Get(ctx, seller, no)
	if err == nil && waits(&current, outcome.Decision.Change.Trigger) {
		return current, apierr.Unavailable.Because(problem)
	}
	return current, err
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
func (s *Saga) Freeze(ctx context.Context, no, operator string, code claim.FreezeCode, reason string) (claim.Claim, error) {
	return s.happen(ctx, no, func(c *claim.Claim, now time.Time) claim.Decision { return c.SetFreeze(operator, code, reason, now) })
}

// Unfreeze ends Freeze.
func (s *Saga) Unfreeze(ctx context.Context, no, operator string) (claim.Claim, error) {
	return s.happen(ctx, no, func(c *claim.Claim, now time.Time) claim.Decision { return c.LiftFreeze(operator, now) })
}

// CancelReshipment takes back a reshipment that is registered and has not shipped, on an operator's word. The order's side comes first:
// under the order's lock it makes sure that the reshipment never ships. A repetition returns the claim as it stands.
//
// CLAIM_NOT_FOUND. CLAIM_NOT_RESHIPPABLE with the reason shipped: it is too late. IDEMPOTENCY_UNRESOLVED: none is registered.
// Unavailable and its like: the order's side could not be asked.
func (s *Saga) CancelReshipment(ctx context.Context, no, operator, reason string) (claim.Claim, error) {
	ctx = s.begin(ctx)
	seller, err := s.claims.Seller(ctx, no)
	if err != nil {
		return claim.Claim{}, err
	}
	c, err := s.claims.Get(ctx, seller, no)
	if err != nil {
		return claim.Claim{}, err
	}
	registered, err := c.Reshipment()
	if err != nil || registered == nil {
		return c, err
	}
	if err := s.cancelOnOrder(ctx, &c, registered); err != nil {
		return claim.Claim{}, err
	}
	_, err = s.claims.Change(ctx, seller, no, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.CancelReshipment(*registered, claim.Actor{Kind: claim.ByOperator, Name: operator}, reason, now)
	})
	if err != nil {
		return claim.Claim{}, err
	}
	return s.followed(ctx, seller, no)
}

// cancelOnOrder makes sure that a registered reshipment never ships; one that was canceled there is nothing to ask about.
func (s *Saga) cancelOnOrder(ctx context.Context, c *claim.Claim, registered *claim.Evidence) error {
	if !registered.Pending {
		return nil
	}
	ctx, cancel := s.withinBudget(ctx)
	defer cancel()
	err := s.lines.CancelReshipment(ctx, c.No, registered.Ref())
	if refusal := lines.Refusal(err); refusal != nil {
		return c.Refuse(claim.Reship, lines.Reason(refusal)).Because(err)
	}
	return err
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
