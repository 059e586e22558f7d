package saga

import (
	"context"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
)

// Convert ends an exchange and opens a return in its place, which it returns. A repetition returns it as it stands. The
// order's side comes first: under the order's lock it hands the lines over and cancels those that stand in, or refuses
// because they were shipped. So the customer never has both the goods and the money.
//
// CLAIM_NOT_FOUND; IDEMPOTENCY_UNRESOLVED when the claim is no exchange on its way, and with a reason when the replacing goods
// are on theirs (exchange_shipped), the lines cannot be returned any more (lines_not_held, state), or the claim is frozen;
// IDEMPOTENCY_KEY_REUSED when the number of the return is taken. Unavailable and its like: the order's side could not be asked;
// the conversion may be registered and goes on by itself then, and a repetition tells.
func (s *Saga) Convert(ctx context.Context, no, returnNo, operator string) (claim.Claim, error) {
	ctx = s.begin(ctx)
	seller, err := s.claims.Seller(ctx, no)
	if err != nil {
		return claim.Claim{}, err
	}
	if err := s.askForConversion(ctx, seller, no, returnNo); err != nil {
		return claim.Claim{}, err
	}
	outcome, err := s.claims.Change(ctx, seller, no, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.RegisterConversion(returnNo, operator, now)
	})
	if err != nil {
		return claim.Claim{}, err
	}
	if outcome.Decision.Verdict == claim.Execute {
		problem := s.follow(ctx, seller, no)
		if err := s.converted(ctx, seller, no, returnNo, problem); err != nil {
			return claim.Claim{}, err
		}
	}
	return s.followed(ctx, seller, returnNo)
}

// converted tells what became of a conversion whose step was tried; nil when the return is there. problem is the order's
// answer to the step.
func (s *Saga) converted(ctx context.Context, seller uuid.UUID, no, returnNo string, problem error) error {
	c, err := s.claims.Get(ctx, seller, no)
	refusal := lines.Refusal(problem)
	switch {
	case err != nil || c.Status == claim.ConvertedToReturn && c.ReplacedBy == returnNo:
		return err
	case waits(&c, claim.ConvertToReturn) && c.ReplacedBy == returnNo:
		return apierr.Unavailable.Because(problem)
	case refusal == nil: // someone else was told why
		return c.Problem(apierr.IdempotencyUnresolved)
	case refusal.Code == apierr.IdempotencyKeyReused:
		return refusal
	default:
		return c.Refuse(claim.ConvertToReturn, lines.Reason(refusal)).Because(problem)
	}
}

// askForConversion refuses a conversion that the order's side would refuse, before anything is registered that others could see
// and that would have to be taken back.
func (s *Saga) askForConversion(ctx context.Context, seller uuid.UUID, no, returnNo string) error {
	isNew, err := s.isNewConversion(ctx, seller, no, returnNo)
	if err != nil || !isNew {
		return err
	}
	problem := s.convertible(ctx, seller, no, returnNo)
	if lines.Refusal(problem) == nil {
		return problem
	}
	// Anyone who moved the claim since it was read may have done this very conversion: then that is the answer.
	if isNew, err = s.isNewConversion(ctx, seller, no, returnNo); err != nil || !isNew {
		return err
	}
	return problem
}

// isNewConversion tells a conversion that would be registered from one that is registered or done, and refuses one that the
// rules refuse.
func (s *Saga) isNewConversion(ctx context.Context, seller uuid.UUID, no, returnNo string) (bool, error) {
	c, err := s.claims.Get(ctx, seller, no)
	if err != nil {
		return false, err
	}
	d := c.RegisterConversion(returnNo, "", c.UpdatedAt)
	return d.Verdict == claim.Execute && !d.Resumed, d.Err
}

// convertible refuses what the number of the return or the order's side forbids.
func (s *Saga) convertible(ctx context.Context, seller uuid.UUID, no, returnNo string) error {
	ctx, cancel := s.withinBudget(ctx)
	defer cancel()
	// The order's side knows the number of every claim, and those of requests that were refused as well.
	switch known, err := s.lines.Knows(ctx, returnNo); {
	case err != nil:
		return err
	case known:
		return apierr.IdempotencyKeyReused
	}
	reason, err := s.lines.NotConvertible(ctx, no)
	if err != nil || reason == "" {
		return err
	}
	c, err := s.claims.Get(ctx, seller, no)
	if err != nil {
		return err
	}
	return c.Refuse(claim.ConvertToReturn, reason)
}
