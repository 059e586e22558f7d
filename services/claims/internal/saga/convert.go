package saga

import (
	"context"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
)

// Convert replaces an exchange by a return and returns the return. A repeated call returns the return in its current state. The
// order's side comes first: under the order's lock it moves the lines to the return and cancels their replacements, or refuses
// if the replacements have shipped. So the customer never has both the goods and the money.
//
// CLAIM_NOT_FOUND; IDEMPOTENCY_UNRESOLVED when the claim is not an open exchange, and with a reason when the replacement goods
// have shipped (exchange_shipped), the lines can no longer be returned (lines_not_held), or the claim is frozen;
// IDEMPOTENCY_KEY_REUSED when the number of the return is taken. Unavailable and similar: the orders service could not be
// reached; the conversion is registered and completes in the background; a repeated call returns the outcome.
func (s *Saga) Convert(ctx context.Context, no, returnNo, operator string) (claim.Claim, error) {
	ctx = s.begin(ctx)
	seller, err := s.claims.Seller(ctx, no)
	if err != nil {
		return claim.Claim{}, err
	}
	outcome, err := s.claims.Change(ctx, seller, no, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.RegisterConversion(returnNo, operator, now)
	})
	if err != nil {
		return claim.Claim{}, err
	}
	if outcome.Decision.Verdict == claim.Execute {
		exchange, problem, err := s.follow(ctx, seller, no)
		if err != nil {
			return claim.Claim{}, err
		}
		if err := converted(&exchange, returnNo, problem); err != nil {
			return claim.Claim{}, err
		}
	}
	return s.followed(ctx, seller, returnNo)
}

// converted returns the outcome of a conversion whose step was tried: nil when the return exists. problem is the error that the
// step returned.
func converted(c *claim.Claim, returnNo string, problem error) error {
	refusal := lines.Refusal(problem)
	switch {
	case c.Status == claim.ConvertedToReturn && c.ReplacedBy == returnNo:
		return nil
	case waits(c, claim.ConvertToReturn) && c.ReplacedBy == returnNo:
		return apierr.Unavailable.Because(problem)
	case refusal == nil: // another call received the reason
		return c.Problem(apierr.IdempotencyUnresolved)
	case refusal.Code == apierr.IdempotencyKeyReused:
		return refusal
	default:
		return c.Refuse(claim.ConvertToReturn, reasonFor(claim.ConvertToReturn, refusal)).Because(problem)
	}
}

// convertLines moves the lines of an exchange to the return that will replace it. Replacement lines are closed first and
// canceled after the claim has left reshipping, which promises that they can be shipped. Every call is idempotent, and only the
// first can be refused.
func (s *Saga) convertLines(ctx context.Context, c *claim.Claim) error {
	if c.PaysAtOnce() {
		if err := s.lines.CloseForReturn(ctx, c.No, c.ReplacedBy); err != nil {
			return err
		}
		_, err := s.claims.Change(ctx, c.SellerID, c.No, func(now *claim.Claim, _ claim.Undone, at time.Time) claim.Decision {
			return now.LeaveReshipping(c.ReplacedBy, at)
		})
		if err != nil {
			return err
		}
	}
	return s.lines.Convert(ctx, c.No, c.ReplacedBy, c.PaysAtOnce())
}
