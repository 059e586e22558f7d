package saga

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/refund"
	"sellerapi.dev/services/claims/internal/store"
)

// Saga carries claims through. It is safe for concurrent use.
type Saga struct {
	claims   *store.Store
	lines    *lines.Client
	provider refund.Provider
	tel      *telemetry.Telemetry
	periods  claim.Periods
	inline   time.Duration
	// jitter spreads the retries of refunds: a number in [0, 1).
	jitter func() float64
}

// Options are what a saga works with.
type Options struct {
	Claims    *store.Store
	Lines     *lines.Client
	Provider  refund.Provider
	Telemetry *telemetry.Telemetry
	Periods   claim.Periods
	// Inline is how long a call waits for others, all in all, before its caller is answered.
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

// around is what decisions need to know beside the claim.
func (s *Saga) around(undone claim.Undone) claim.Surroundings {
	return claim.Surroundings{Periods: s.periods, Undone: undone}
}

// Perform implements rest.Saga: it carries an action out, as far as it goes now. alreadyDone reports that it was performed, or
// registered, before the call, so that of several equal calls at once one has done it.
//
// CLAIM_NOT_FOUND: the seller has no such claim. IDEMPOTENCY_UNRESOLVED, CLAIM_NOT_…: the rules or the order refuse it, and
// nothing has changed. EXCHANGE_ITEM_SHIP_FAILED: the reshipment is registered and the new line is not shipped yet.
// Unavailable and its like: the order's side could not be asked; a passed inspection of an exchange may be registered then,
// and the same call resumes it.
func (s *Saga) Perform(ctx context.Context, seller uuid.UUID, no string, command claim.Command) (performed claim.Claim, alreadyDone bool, err error) {
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

// decide applies the rules to an action, once the order's side was asked for what it needs.
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

// errNotAsked tells that the claim has come to where the action needs the lines since it was looked at.
var errNotAsked = errors.New("the order's side was not asked for the lines")

// verdict tells what became of an action whose steps were tried. problem is the order's answer to the step that it waits for.
func verdict(c *claim.Claim, command claim.Command, problem error) error {
	action := command.Action
	evidence := c.Performed.Of(action)
	refusal := lines.Refusal(problem)
	switch {
	case evidence == nil && refusal != nil:
		return c.Refuse(action, lines.Reason(refusal)).Because(problem)
	case evidence == nil: // someone else was told why
		return c.Refuse(action, "order")
	case !evidence.Values.Same(command.Values): // this one was taken back, and someone came with another
		return c.Problem(apierr.IdempotencyUnresolved)
	case !evidence.Pending:
		return nil
	case action == claim.Reship:
		return c.Problem(apierr.ExchangeItemShipFailed).Because(problem)
	default:
		return apierr.Unavailable.Because(problem)
	}
}

// askForLines refuses an action that the order's side would refuse, before anything is registered that others could see and
// that would have to be taken back. asked is false when the action did not need the lines as the claim stood.
func (s *Saga) askForLines(ctx context.Context, seller uuid.UUID, no string, command claim.Command) (asked bool, err error) {
	c, err := s.claims.Get(ctx, seller, no)
	if err != nil || !needsLines(&c, command) {
		return false, err
	}
	reason, err := s.impediment(ctx, &c, command)
	if err != nil || reason == "" {
		return true, err
	}
	// Anyone who moved the claim since it was read may have let go of the lines, or completed it: then that is the answer.
	c, err = s.claims.Get(ctx, seller, no)
	if err != nil || !needsLines(&c, command) {
		return false, err
	}
	return true, c.Refuse(command.Action, reason)
}

// impediment asks why the order's side would refuse what an action leads to; empty when it would not. A reshipment about
// which nobody answers is registered all the same, because the parcel is there: it is shipped when it can be.
func (s *Saga) impediment(ctx context.Context, c *claim.Claim, command claim.Command) (string, error) {
	ctx, cancel := s.withinBudget(ctx)
	defer cancel()
	if command.Action == claim.Reship {
		reason, _ := s.lines.NotReshippable(ctx, c.No, command.Values) // none when nobody answers
		return reason, nil
	}
	holds, err := s.lines.Holds(ctx, c.No)
	if err != nil || holds {
		return "", err
	}
	return notHeld, nil
}

// needsLines reports whether an action would be executed now and then needs the lines.
func needsLines(c *claim.Claim, command claim.Command) bool {
	d := claim.Decide(c, command, claim.Surroundings{}, c.UpdatedAt)
	return d.Verdict == claim.Execute && d.NeedsLines
}

// notHeld is the reason of a refusal because the claim does not hold its lines, or they cannot go any more where it leads.
const notHeld = "lines_not_held"
