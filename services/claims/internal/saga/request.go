package saga

import (
	"context"
	"errors"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/store"
)

// Request holds the lines of a claim, then opens it. A repeated call returns the claim in its current state.
//
// VALIDATION_ERROR: the request is malformed. IDEMPOTENCY_KEY_REUSED: the number belongs to another request. ORDER_NOT_FOUND,
// ORDER_ITEM_NOT_FOUND, ORDER_ITEM_HAS_ACTIVE_CLAIM, CLAIM_NOT_APPROVABLE: it cannot be claimed, and nothing is held.
// Unavailable and similar: the outcome is unknown; the request is stored and retried in the background, and a repeated call
// returns the outcome.
func (s *Saga) Request(ctx context.Context, w claim.Wanted) (claim.Claim, error) {
	ctx = s.begin(ctx)
	if err := w.Check(); err != nil {
		return claim.Claim{}, err
	}
	known, err := s.claims.Opened(ctx, w)
	if !errors.Is(err, apierr.ClaimNotFound) {
		return known, err
	}
	// A concurrent call of the same request may be refused and delete the step while this one succeeds; then the step is stored again.
	for again := true; again; again = errors.Is(err, store.ErrNoStep) {
		var step store.Step
		if step, err = s.claims.PlanOpening(ctx, w); err != nil {
			return claim.Claim{}, err
		}
		err = s.open(ctx, step)
		s.report(ctx, w.No, claim.OpenLines, doneInline, err)
	}
	if err != nil {
		return claim.Claim{}, err
	}
	return s.followed(ctx, w.SellerID, w.No)
}

// open holds the lines of a request and opens its claim, which ends the step. A refusal ends the step too, and nothing is held.
// ErrNoStep when the request was given up in the meantime; its lines are held then.
func (s *Saga) open(ctx context.Context, step store.Step) error {
	held, err := s.lines.Open(ctx, step.Request)
	if err != nil {
		return s.giveUp(ctx, step, err)
	}
	_, err = s.claims.Open(ctx, step, func(policy claim.Policy, now time.Time) (claim.Change, error) {
		return claim.Open(step.Request, held, policy, s.periods, now)
	})
	if !errors.Is(err, apierr.ClaimNotApprovable) {
		return err
	}
	// The rules refuse what the orders service allowed.
	if released := s.lines.Release(ctx, step.ClaimNo); released != nil {
		return released
	}
	return s.giveUp(ctx, step, err)
}

// giveUp ends the step of a request if it is refused for good, and returns cause.
func (s *Saga) giveUp(ctx context.Context, step store.Step, cause error) error {
	if lines.Refusal(cause) == nil {
		return cause
	}
	if err := s.claims.FinishStep(ctx, step); err != nil {
		return err
	}
	return cause
}

// openLater is open for a sweep. It drops a refusal: the caller received it or will repeat the request. If a caller was told in
// the meantime that the request is refused, no claim may exist: the lines are released.
func (s *Saga) openLater(ctx context.Context, step store.Step) error {
	switch err := s.open(ctx, step); {
	case errors.Is(err, store.ErrNoStep):
		return s.lines.Release(ctx, step.ClaimNo)
	case lines.Refusal(err) != nil:
		return nil //nolint:nilerr // the caller received the refusal or will repeat the request
	default:
		return err
	}
}
