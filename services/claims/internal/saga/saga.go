package saga

import (
	"context"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/refund"
	"sellerapi.dev/services/claims/internal/store"
)

// Saga processes claims across services. It is safe for concurrent use.
type Saga struct {
	claims   *store.Store
	lines    *lines.Client
	provider refund.Provider
	tel      *telemetry.Telemetry
	periods  claim.Periods
	inline   time.Duration
	// jitter spreads the retries of refunds: it returns a number in [0, 1).
	jitter func() float64
}

// Options are the dependencies and settings of a saga.
type Options struct {
	Claims    *store.Store
	Lines     *lines.Client
	Provider  refund.Provider
	Telemetry *telemetry.Telemetry
	Periods   claim.Periods
	// Inline limits the total time that a call waits for other services before its caller gets an answer.
	Inline time.Duration
}

// New returns a saga.
func New(options Options) *Saga {
	countFromZero(options.Telemetry)
	return &Saga{
		claims: options.Claims, lines: options.Lines, provider: options.Provider, tel: options.Telemetry,
		periods: options.Periods, inline: options.Inline, jitter: rand.Float64,
	}
}

func (s *Saga) around(undone claim.Undone) claim.Surroundings {
	return claim.Surroundings{Periods: s.periods, Undone: undone}
}

// Perform implements rest.Saga: it performs an action as far as possible now. alreadyDone reports whether the action was
// performed, or registered, before the call, so that exactly one of several equal concurrent calls has performed it.
//
// CLAIM_NOT_FOUND: the seller has no such claim. IDEMPOTENCY_UNRESOLVED, CLAIM_NOT_…: the rules or the order refuse it, and
// nothing has changed. EXCHANGE_ITEM_SHIP_FAILED: the reshipment is registered and the new line is not shipped yet. Unavailable
// and similar: the orders service could not be reached; the action is registered then, and the same call or a sweep resumes it.
func (s *Saga) Perform(ctx context.Context, seller uuid.UUID, no string,
	command claim.Command,
) (performed claim.Claim, alreadyDone bool, err error) {
	ctx = s.begin(ctx)
	outcome, err := s.claims.Change(ctx, seller, no, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return claim.Decide(c, command, now)
	})
	if err != nil || outcome.Decision.Verdict == claim.AlreadyDone {
		return outcome.Claim, err == nil, err
	}
	current, problem, err := s.follow(ctx, seller, no)
	if err != nil {
		return claim.Claim{}, false, err
	}
	return current, outcome.Decision.Resumed, verdict(&current, command, problem)
}

// verdict returns the outcome of an action whose steps were tried. problem is the error of the step that the action waits for.
func verdict(c *claim.Claim, command claim.Command, problem error) error {
	action := command.Action
	evidence := c.Performed.Of(action)
	refusal := lines.Refusal(problem)
	switch {
	case evidence == nil && refusal != nil:
		return c.Refuse(action, reasonFor(action, refusal)).Because(problem)
	case evidence == nil: // another call received the reason
		return c.Refuse(action, "order")
	case !evidence.Values.Same(command.Values): // rolled back, and another call registered other values
		return c.Problem(apierr.IdempotencyUnresolved)
	case !evidence.Pending:
		return nil
	case !evidence.Hidden: // a reshipment
		return c.Problem(apierr.ExchangeItemShipFailed).Because(problem)
	default:
		return apierr.Unavailable.Because(problem)
	}
}

// reasonFor returns the reason of a refused action for its caller: whatever keeps the lines from their target state is one
// reason, except for a reshipment, whose caller can choose another parcel.
func reasonFor(action claim.Trigger, refusal *apierr.Error) string {
	reason := lines.Reason(refusal)
	if refusal.Code == apierr.ClaimNotFound {
		reason = "hold"
	}
	if action != claim.Reship && slices.Contains([]string{"hold", "state", "quantity", "exchange"}, reason) {
		return claim.LinesNotHeld
	}
	return reason
}
