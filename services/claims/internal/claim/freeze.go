package claim

import (
	"time"

	"sellerapi.dev/pkg/apierr"
)

// service is the name of the actor of a freeze that no operator has set.
const service = "claims"

// SetFreeze blocks every action until LiftFreeze. The freeze of an exchange is registered until the orders service keeps the
// seller from shipping the replacement line; see [Claim.ConfirmFreeze]. AlreadyDone when the claim is frozen;
// IDEMPOTENCY_UNRESOLVED when it has ended; Unavailable while the end of an earlier freeze is registered.
func (c *Claim) SetFreeze(operator string, code FreezeCode, reason string, now time.Time) Decision {
	switch {
	case c.Freeze != nil:
		return c.freezeAgain(FreezeSet, now)
	case c.Status.Terminal():
		return refused(c.Problem(apierr.IdempotencyUnresolved))
	}
	change := c.begin(FreezeSet, Actor{Kind: ByOperator, Name: operator}, now)
	change.Memo = reason
	change.Next.Freeze = &Freeze{By: operator, Code: code, Reason: reason, At: now}
	change.registerFreeze(FreezeSet)
	return Decision{Verdict: Execute, Change: change}
}

// LiftFreeze reverts SetFreeze, and is registered in the same way. AlreadyDone when the claim is not frozen; Unavailable while
// the freeze is registered.
func (c *Claim) LiftFreeze(operator string, now time.Time) Decision {
	switch {
	case c.Freeze == nil:
		return Decision{Verdict: AlreadyDone}
	case c.Freeze.Pending != "":
		return c.freezeAgain(FreezeLifted, now)
	}
	change := c.begin(FreezeLifted, Actor{Kind: ByOperator, Name: operator}, now)
	change.registerFreeze(FreezeLifted)
	return Decision{Verdict: Execute, Change: change}
}

// freezeAgain decides on a change of the freeze when there is one: AlreadyDone, or resumed while the same change is registered.
// Unavailable while the other one is.
func (c *Claim) freezeAgain(event Trigger, now time.Time) Decision {
	switch c.Freeze.Pending {
	case "":
		return Decision{Verdict: AlreadyDone}
	case event:
		return Decision{Verdict: Execute, Resumed: true, Change: c.begin(event, Actor{Kind: ByOperator}, now)}
	default:
		return refused(apierr.Unavailable)
	}
}

// registerFreeze registers a freeze or its end, or carries it out at once unless the claim is an exchange: only an exchange has
// a line that the seller could ship.
func (ch *Change) registerFreeze(event Trigger) {
	next := &ch.Next
	pending := *next.Freeze
	pending.Pending = event
	next.Freeze = &pending
	if next.Type == Exchange {
		ch.Steps = []Step{FreezeLines}
		return
	}
	ch.carryOutFreeze()
}

// carryOutFreeze carries out the registered change of the freeze. The end of a freeze extends due times by its duration; for a
// return that replaced a frozen exchange, by the part since the return was opened.
func (ch *Change) carryOutFreeze() {
	next := &ch.Next
	ch.Steps = []Step{TouchOrder}
	if next.Freeze.Pending == FreezeSet {
		next.Freeze.Pending = ""
		return
	}
	since := next.Freeze.At
	if since.Before(next.RequestedAt) {
		since = next.RequestedAt
	}
	lasted := max(0, ch.At.Sub(since))
	next.Freeze = nil
	next.PaymentDueAt, next.InspectionDueAt = later(next.PaymentDueAt, lasted), later(next.InspectionDueAt, lasted)
}

// ConfirmFreeze carries out a registered freeze, or its end, that the orders service knows. AlreadyDone if it is no longer
// registered: told is the freeze as it was when the orders service was told.
func (c *Claim) ConfirmFreeze(told Freeze, now time.Time) Decision {
	if told.Pending == "" || c.Freeze == nil || c.Freeze.Pending != told.Pending || !c.Freeze.At.Equal(told.At) {
		return Decision{Verdict: AlreadyDone}
	}
	change := c.begin(told.Pending, Actor{Kind: ByService}, now)
	change.Next.Freeze = &told
	change.carryOutFreeze()
	return Decision{Verdict: Execute, Change: change}
}

func (c *Claim) inheritedFreeze() *Freeze {
	if c.Freeze == nil || c.Freeze.Pending == FreezeLifted {
		return nil
	}
	inherited := *c.Freeze
	inherited.Pending = ""
	return &inherited
}

// later returns at moved by the duration; nil if at is nil.
func later(at *time.Time, by time.Duration) *time.Time {
	if at == nil {
		return nil
	}
	moved := at.Add(by)
	return &moved
}
