package saga

import (
	"context"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
)

type deciding func(c *claim.Claim, now time.Time) claim.Decision

// apply applies an event to a claim, tries the steps that follow and returns the claim in its new state. CLAIM_NOT_FOUND, or
// the error of the rules. Unavailable and similar: the event is registered, but the orders service could not be reached; a
// sweep completes it.
func (s *Saga) apply(ctx context.Context, no string, decide deciding) (claim.Claim, error) {
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
	current, problem, err := s.follow(ctx, seller, no)
	if err == nil && waits(&current, outcome.Decision.Change.Trigger) {
		return current, apierr.Unavailable.Because(problem)
	}
	return current, err
}

// PayShortfall records that the customer paid the shortfall. It returns the errors of claim.PayShortfall. A claim whose end is
// registered ends first, so that nobody is told that a paid claim waits for its payment; Unavailable while it cannot end.
func (s *Saga) PayShortfall(ctx context.Context, no, paymentID string, amount int64) (claim.Claim, error) {
	ctx = s.begin(ctx)
	paid, err := s.apply(ctx, no, func(c *claim.Claim, now time.Time) claim.Decision {
		return c.PayShortfall(paymentID, amount,
			now)
	})
	if err != nil || paid.Status != claim.PaymentPending {
		return paid, err
	}
	paid, problem, err := s.follow(ctx, paid.SellerID, no)
	if err == nil && paid.Status == claim.PaymentPending {
		return paid, apierr.Unavailable.Because(problem)
	}
	return paid, err
}

// Withdraw ends a claim at the customer's request. IDEMPOTENCY_UNRESOLVED when it is too late.
func (s *Saga) Withdraw(ctx context.Context, no string) (claim.Claim, error) {
	return s.apply(ctx, no, func(c *claim.Claim, now time.Time) claim.Decision { return c.Withdraw(now) })
}

// HoldInspection hands the inspection of collected goods to an operator. IDEMPOTENCY_UNRESOLVED when there is nothing to inspect.
func (s *Saga) HoldInspection(ctx context.Context, no, operator, reason string) (claim.Claim, error) {
	return s.apply(ctx, no, func(c *claim.Claim, now time.Time) claim.Decision { return c.HoldInspection(operator, reason, now) })
}

// Freeze blocks every action on a claim until Unfreeze, and the shipment of its exchange lines. IDEMPOTENCY_UNRESOLVED when the
// claim has ended. Unavailable while the orders service does not know of the freeze, which is registered then, or of the end of
// the one before.
func (s *Saga) Freeze(ctx context.Context, no, operator string, code claim.FreezeCode, reason string) (claim.Claim, error) {
	return s.apply(ctx, no, func(c *claim.Claim, now time.Time) claim.Decision { return c.SetFreeze(operator, code, reason, now) })
}

// Unfreeze reverts Freeze. Unavailable while the orders service does not know of it, or of the freeze.
func (s *Saga) Unfreeze(ctx context.Context, no, operator string) (claim.Claim, error) {
	return s.apply(ctx, no, func(c *claim.Claim, now time.Time) claim.Decision { return c.LiftFreeze(operator, now) })
}

// CancelReshipment cancels a registered reshipment that has not shipped, at an operator's request. The order's side comes first:
// under the order's lock it ensures that the reshipment never ships. A repeated call returns the claim in its current state.
//
// CLAIM_NOT_FOUND. CLAIM_NOT_RESHIPPABLE with the reason shipped: too late. IDEMPOTENCY_UNRESOLVED: no reshipment is registered.
// Unavailable and similar: the orders service could not be reached.
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

// cancelOnOrder ensures that a registered reshipment never ships. It does nothing if the reshipment is no longer pending.
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
