package claim

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/machine"
)

// firstSteps maps a state to the step that has to succeed in the orders service before a claim shows the state, so that a visible
// state is always true there. States without an entry need no step. [Claim.Finish] completes a claim after its refund is paid.
var firstSteps = map[Status]Step{
	Approved:          TouchHeld,
	Collecting:        TouchHeld,
	Collected:         TouchHeld,
	RefundProcessing:  SealLines,
	Reshipping:        AddExchangeLine,
	Completed:         ShipExchangeLine,
	Rejected:          ReleaseLines,
	Withdrawn:         ReleaseLines,
	Expired:           ReleaseLines,
	ConvertedToReturn: ConvertLines,
}

// IsAwaited reports whether a registration waits for the step.
func (s Step) IsAwaited() bool {
	if s == FreezeLines {
		return true
	}
	for _, first := range firstSteps {
		if s == first {
			return true
		}
	}
	return false
}

func orderFirst(rule machine.Rule[Status, Trigger]) (Step, bool) {
	if rule.Trigger == FinishRefund {
		return "", false
	}
	step, first := firstSteps[rule.To]
	return step, first
}

// register records that a transition will be followed as soon as its step is done. Until then it is not visible.
func (ch *Change) register(e Evidence, step Step) {
	e.Pending, e.Hidden = true, true
	ch.Next.Performed = ch.Next.Performed.with(e)
	ch.Steps = append(ch.Steps, step)
	ch.Hidden = true
}

// waiting returns the evidence of a registration; nil if it is no longer registered.
func (c *Claim) waiting(registered Evidence) *Evidence {
	if evidence := c.Performed.Of(registered.Action); evidence != nil && evidence.Pending && evidence.same(registered) {
		return evidence
	}
	return nil
}

// ShowReshipment shows the parcel of a registered reshipment that has to wait, because it was sent and its caller is told so.
// AlreadyDone if it is visible or no longer registered.
func (c *Claim) ShowReshipment(registered Evidence, now time.Time) Decision {
	evidence := c.waiting(registered)
	if evidence == nil || evidence.Action != Reship || !evidence.Hidden {
		return Decision{Verdict: AlreadyDone}
	}
	change := c.begin(Reship, evidence.Actor, now)
	shown := *evidence
	shown.Hidden = false
	change.Next.Performed = c.Performed.with(shown)
	change.Steps = []Step{TouchOrder}
	return Decision{Verdict: Execute, Change: change}
}

// Awaits returns the registered evidence and the step that it waits for; nil when there is none.
func (c *Claim) Awaits() (*Evidence, Step) {
	registered := c.Performed.Pending()
	if registered == nil {
		return nil, ""
	}
	rule, ok := c.arrow(registered)
	if !ok {
		return registered, ""
	}
	step, _ := orderFirst(rule)
	return registered, step
}

func (c *Claim) arrow(e *Evidence) (machine.Rule[Status, Trigger], bool) {
	return c.start(Command{Action: e.Trigger(), Values: e.Values, Actor: e.Actor})
}

// Settled is a claimed line and the line that carries its claimed quantity after settlement.
type Settled struct {
	ItemID, SettledItemID uuid.UUID
}

// Confirm completes a registration after its step succeeded in the orders service: it can no longer be refused.
// settled is empty except for a reshipment. AlreadyDone if it is no longer registered because another process completed it.
func (c *Claim) Confirm(registered Evidence, settled []Settled, around Surroundings, now time.Time) Decision {
	evidence := c.waiting(registered)
	if evidence == nil {
		return Decision{Verdict: AlreadyDone}
	}
	rule, ok := c.arrow(evidence)
	if !ok {
		return refused(c.Problem(apierr.IdempotencyUnresolved))
	}
	if firstSteps[rule.To] == TouchHeld { // the period of inspection counts from the collection, however late the order was reached
		now = evidence.At
	}
	change := c.begin(rule.Trigger, evidence.Actor, now)
	change.Next.Performed = c.Performed.without(evidence.Action)
	if slices.Contains(Actions(), evidence.Action) {
		done := *evidence
		done.Pending, done.Hidden = false, false
		change.Next.Performed = c.Performed.with(done)
	}
	change.Next.settle(settled)
	change.enter(rule, around.Periods, around.Undone)
	return Decision{Verdict: Execute, Change: change}
}

// Abandon rolls a registration back because the orders service refused its step. Where nobody can be told, because a due time led
// to the registration, the claim is frozen for an operator. AlreadyDone if it is no longer registered: a refusal may arrive after
// the action was rolled back and registered again, and does not apply to the new registration.
func (c *Claim) Abandon(registered Evidence, now time.Time) Decision {
	evidence := c.waiting(registered)
	if evidence == nil {
		return Decision{Verdict: AlreadyDone}
	}
	before := *c
	before.Performed = c.Performed.without(registered.Action)
	before.ReplacedBy = "" // set for a conversion
	if evidence.Trigger() == PassUninspected && c.Freeze == nil {
		return before.SetFreeze(service, FreezeOther, LinesNotHeld, now)
	}
	change := before.begin(registered.Trigger(), Actor{Kind: ByService}, now)
	change.Hidden = evidence.Hidden
	if !change.Hidden {
		change.Steps = []Step{TouchOrder}
	}
	return Decision{Verdict: Execute, Change: change}
}

// Reshipment returns the registered reshipment that an operator can cancel; nil when an operator has canceled one, and none is
// registered or has shipped since. IDEMPOTENCY_UNRESOLVED when there is none.
func (c *Claim) Reshipment() (*Evidence, error) {
	reship, canceled := c.Performed.Of(Reship), c.Performed.Of(CancelReshipment)
	switch {
	case reship != nil && reship.Pending:
		return reship, nil
	case reship == nil && canceled != nil && canceled.Actor.Kind == ByOperator:
		return nil, nil //nolint:nilnil // already canceled
	case reship == nil && canceled != nil: // the service recorded the cancellation before the operator's call
		return canceled, nil
	default:
		return nil, c.Problem(apierr.IdempotencyUnresolved)
	}
}

// CancelReshipment rolls back a registered reshipment that the orders service will never ship. Reason is the operator's, for
// the history. AlreadyDone when another reshipment has been registered or done since, or when the cancellation is recorded: an
// operator only replaces the record of the service.
func (c *Claim) CancelReshipment(registered Evidence, actor Actor, reason string, now time.Time) Decision {
	reship, canceled := c.Performed.Of(Reship), c.Performed.Of(CancelReshipment)
	switch {
	case reship != nil && (!reship.Pending || !reship.same(registered)):
		return Decision{Verdict: AlreadyDone}
	case reship == nil && canceled != nil && !canceled.At.Before(registered.At) &&
		(canceled.Actor.Kind == ByOperator || actor.Kind == ByService):
		return Decision{Verdict: AlreadyDone}
	}
	change := c.begin(CancelReshipment, actor, now)
	change.Memo = reason
	change.Next.Performed = c.Performed.without(Reship).with(Evidence{Action: CancelReshipment, Actor: actor, At: now})
	change.Steps = []Step{TouchOrder}
	return Decision{Verdict: Execute, Change: change}
}

// AfterRefund returns the steps that follow a successful refund: if the claim waits for nothing else, it can be finished.
func (c *Claim) AfterRefund(r Refund) []Step {
	if r.Status == RefundSucceeded && r.Kind == MainRefund && c.Status == RefundProcessing {
		return []Step{FinishClaim}
	}
	return nil
}

// Finish completes a claim in refund_processing. The caller must ensure that the lines are settled, and that the refund has
// succeeded or there is none. AlreadyDone when the claim is completed.
func (c *Claim) Finish(settled []Settled, now time.Time) Decision {
	return c.apply(FinishRefund, Actor{Kind: ByService}, now, Completed, func(change *Change) {
		change.Next.settle(settled)
	})
}

func (c *Claim) settle(settled []Settled) {
	for _, s := range settled {
		for i := range c.Items {
			if c.Items[i].ItemID == s.ItemID {
				c.Items[i].SettledItemID = &s.SettledItemID
			}
		}
	}
}
