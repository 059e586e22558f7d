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
	// A concurrent attempt at the same request may end the step: refused while this one succeeds, or with a claim while this one is
	// refused. Then the step is stored again.
	for again := true; again; again = errors.Is(err, store.ErrNoStep) || errors.Is(err, errOvertaken) {
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

// errOvertaken says that an attempt was refused, but another one had ended the request, perhaps with a claim.
var errOvertaken = errors.New("another attempt has ended the request")

// open holds the lines of a request and opens its claim, which ends the step. A refusal ends the step too, and nothing is held.
// ErrNoStep when the request was given up in the meantime; its lines are held then. errOvertaken when it was refused, but another
// attempt had ended the step.
func (s *Saga) open(ctx context.Context, step store.Step) error {
	held, err := s.lines.Open(ctx, step.Request)
	if err != nil {
		return s.giveUp(ctx, step, err)
	}
	_, err = s.claims.Open(ctx, step, held.Currency, func(policy claim.Policy, now time.Time) (claim.Change, error) {
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

// giveUp ends the step of a request if it is refused for good, and returns cause, or errOvertaken.
func (s *Saga) giveUp(ctx context.Context, step store.Step, cause error) error {
	if lines.Refusal(cause) == nil {
		return cause
	}
	switch err := s.claims.GiveUp(ctx, step); {
	case errors.Is(err, store.ErrNoStep):
		return errOvertaken
	case err != nil:
		return err
	default:
		return cause
	}
}

// openLater is open for a sweep. It drops a refusal: the caller received it or will repeat the request. If another attempt gave
// the request up in the meantime, its caller was told that it is refused: no claim may exist, and lines that this attempt
// holds, or may hold if its outcome is unknown, are released.
func (s *Saga) openLater(ctx context.Context, step store.Step) error {
	err := s.open(ctx, step)
	if err == nil || errors.Is(err, errOvertaken) || lines.Refusal(err) != nil {
		return nil //nolint:nilerr // the caller received the refusal or will repeat the request
	}
	released := s.claims.WhileFree(ctx, step, func(ctx context.Context) error { return s.lines.Release(ctx, step.ClaimNo) })
	if errors.Is(err, store.ErrNoStep) {
		return released
	}
	return errors.Join(err, released)
}
