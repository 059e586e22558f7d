package saga

import (
	"context"
	"errors"
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
// and similar: the orders service could not be reached; a passed inspection of an exchange may be registered then, and the same
// call resumes it.
func (s *Saga) Perform(ctx context.Context, seller uuid.UUID, no string,
	command claim.Command,
) (performed claim.Claim, alreadyDone bool, err error) {
	ctx = s.begin(ctx)
	outcome, err := s.decide(ctx, seller, no, command)
	if err != nil || outcome.Decision.Verdict == claim.AlreadyDone {
		return outcome.Claim, err == nil, err
	}
	problem := s.follow(ctx, seller, no)
	current, err := s.claims.Get(ctx, seller, no)
	if err != nil {
		return claim.Claim{}, false, err
	}
	return current, outcome.Decision.Resumed, verdict(&current, command, problem)
}

// decide applies the rules to an action after the orders service was asked about the lines, if the action needs them.
func (s *Saga) decide(ctx context.Context, seller uuid.UUID, no string, command claim.Command) (store.Outcome, error) {
	for {
		asked, err := s.askForLines(ctx, seller, no, command)
		if err != nil {
			return store.Outcome{}, err
		}
		outcome, err := s.claims.Change(ctx, seller, no, func(c *claim.Claim, undone claim.Undone, now time.Time) claim.Decision {
			d := claim.Decide(c, command, s.around(undone), now)
			if d.Verdict == claim.Execute && d.NeedsLines && !asked {
				return claim.Decision{Verdict: claim.Refused, Err: errNotAsked}
			}
			return d
		})
		if !errors.Is(err, errNotAsked) {
			return outcome, err
		}
	}
}

// errNotAsked says that the claim has changed since it was read, and that the action now needs the lines.
var errNotAsked = errors.New("the lines were not requested from orders")

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
	case action == claim.Reship:
		return c.Problem(apierr.ExchangeItemShipFailed).Because(problem)
	default:
		return apierr.Unavailable.Because(problem)
	}
}

// reasonFor returns the reason of a refused action for its caller: whatever keeps the lines from their target state is one
// reason, except for a reshipment, whose caller can choose another parcel.
func reasonFor(action claim.Trigger, refusal *apierr.Error) string {
	reason := lines.Reason(refusal)
	if action != claim.Reship && slices.Contains([]string{
		"hold", "state", "quantity", "exchange",
		string(apierr.ClaimNotFound),
	}, reason) {
		return notHeld
	}
	return reason
}

// askForLines refuses an action that the orders service would refuse, before anything visible is registered that would have to
// be rolled back. asked is false if the action does not need the lines in the claim's current state.
func (s *Saga) askForLines(ctx context.Context, seller uuid.UUID, no string, command claim.Command) (asked bool, err error) {
	c, err := s.claims.Get(ctx, seller, no)
	if err != nil || !needsLines(&c, command) {
		return false, err
	}
	reason, err := s.impediment(ctx, &c, command)
	if err != nil || reason == "" {
		return true, err
	}
	// The claim may have released its lines or completed since it was read; then the new state decides.
	c, err = s.claims.Get(ctx, seller, no)
	if err != nil || !needsLines(&c, command) {
		return false, err
	}
	return true, c.Refuse(command.Action, reason)
}

// impediment returns the reason why the orders service would refuse the result of an action; empty if it would not. A reshipment
// is registered even if the orders service does not answer, because the parcel exists: it ships as soon as possible.
func (s *Saga) impediment(ctx context.Context, c *claim.Claim, command claim.Command) (string, error) {
	ctx, cancel := s.withinBudget(ctx)
	defer cancel()
	if command.Action == claim.Reship {
		reason, _ := s.lines.NotReshippable(ctx, c.No, command.Values) // empty if the orders service does not answer
		return reason, nil
	}
	holds, err := s.lines.Holds(ctx, c.No)
	if err != nil || holds {
		return "", err
	}
	return notHeld, nil
}

// needsLines reports whether an action would be executed in the current state and needs the lines.
func needsLines(c *claim.Claim, command claim.Command) bool {
	d := claim.Decide(c, command, claim.Surroundings{}, c.UpdatedAt)
	return d.Verdict == claim.Execute && d.NeedsLines
}

// notHeld is the reason for a refusal when the claim does not hold its lines, or when they can no longer reach the target state.
const notHeld = "lines_not_held"
