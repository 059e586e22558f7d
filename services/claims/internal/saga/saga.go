package saga

import (
	"context"
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

// defaultInline is how long the steps of a change are tried before its caller is answered.
const defaultInline = 3 * time.Second

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
	// Inline is how long the steps of a change are tried before its caller is answered; 0 means three seconds.
	Inline time.Duration
}

// New returns a saga.
func New(options Options) *Saga {
	if options.Inline <= 0 {
		options.Inline = defaultInline
	}
	return &Saga{
		claims: options.Claims, lines: options.Lines, provider: options.Provider, tel: options.Telemetry,
		periods: options.Periods, inline: options.Inline, jitter: rand.Float64,
	}
}

// around is what decisions need to know beside the claim.
func (s *Saga) around(undone claim.Undone) claim.Surroundings {
	return claim.Surroundings{Periods: s.periods, Undone: undone}
}

// Perform implements rest.Saga: it carries an action out, as far as it goes now.
//
// CLAIM_NOT_FOUND: the seller has no such claim. IDEMPOTENCY_UNRESOLVED, CLAIM_NOT_…: the rules or the order refuse it, and
// nothing has changed. EXCHANGE_ITEM_SHIP_FAILED: the reshipment is registered and the new line is not shipped yet.
// Unavailable and its like: the order's side could not be asked; a passed inspection of an exchange may be registered then,
// and the same call resumes it.
func (s *Saga) Perform(ctx context.Context, seller uuid.UUID, no string, command claim.Command) (claim.Claim, error) {
	if err := s.askForLines(ctx, seller, no, command); err != nil {
		return claim.Claim{}, err
	}
	outcome, err := s.claims.Change(ctx, seller, no, func(c *claim.Claim, undone claim.Undone, now time.Time) claim.Decision {
		return claim.Decide(c, command, s.around(undone), now)
	})
	if err != nil || outcome.Decision.Verdict == claim.AlreadyDone {
		return outcome.Claim, err
	}
	problem := s.follow(ctx, seller, no)
	current, err := s.claims.Get(ctx, seller, no)
	if err != nil {
		return claim.Claim{}, err
	}
	return current, verdict(&current, command.Action, problem)
}

// verdict tells what became of an action whose steps were tried. problem is the order's answer to the step that it waits for.
func verdict(c *claim.Claim, action claim.Trigger, problem error) error {
	evidence := c.Performed.Of(action)
	refusal := lines.Refusal(problem)
	switch {
	case evidence == nil && refusal != nil:
		return c.Refuse(action, lines.Reason(refusal)).Because(problem)
	case evidence == nil: // somebody else was told why
		return c.Refuse(action, "order")
	case !evidence.Pending:
		return nil
	case action == claim.Reship:
		return c.Problem(apierr.ExchangeItemShipFailed).Because(problem)
	default:
		return apierr.Unavailable.Because(problem)
	}
}

// askForLines refuses an action for which the claim needs its lines and does not hold them.
func (s *Saga) askForLines(ctx context.Context, seller uuid.UUID, no string, command claim.Command) error {
	c, err := s.claims.Get(ctx, seller, no)
	if err != nil || !needsLines(&c, command) {
		return err
	}
	if holds, err := s.holds(ctx, &c); err != nil || holds {
		return err
	}
	// Whoever moved the claim since it was read may have let go of the lines, or completed it: then that is the answer.
	c, err = s.claims.Get(ctx, seller, no)
	if err != nil || !needsLines(&c, command) {
		return err
	}
	return c.Refuse(command.Action, notHeld)
}

// needsLines tells whether an action would be executed now and then needs the lines.
func needsLines(c *claim.Claim, command claim.Command) bool {
	d := claim.Decide(c, command, claim.Surroundings{}, c.UpdatedAt)
	return d.Verdict == claim.Execute && d.NeedsLines
}

// notHeld is the reason of a refusal because the claim does not hold its lines, or they cannot go any more where it leads.
const notHeld = "lines_not_held"

// holds asks whether the claim holds its lines in a state from which it can complete.
func (s *Saga) holds(ctx context.Context, c *claim.Claim) (bool, error) {
	if err := s.handOver(ctx, c); err != nil {
		return false, err
	}
	return s.lines.Holds(ctx, c.No)
}
