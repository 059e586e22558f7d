package claim

import (
	"slices"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/machine"
)

// firstSteps say what has to succeed on the order's side before a claim shows a state, so that nobody ever sees a state that is not
// true there. What is no key needs nothing of the order. A refund that is paid completes its claim by [Claim.Finish].
var firstSteps = map[Status]Step{
	RefundProcessing:  SealLines,
	Reshipping:        AddExchangeLine,
	Completed:         ShipExchangeLine,
	Rejected:          ReleaseLines,
	Withdrawn:         ReleaseLines,
	Expired:           ReleaseLines,
	ConvertedToReturn: ConvertLines,
}

// IsAwaited reports whether something is registered only until the step is done.
func (s Step) IsAwaited() bool {
	for _, first := range firstSteps {
		if s == first {
			return true
		}
	}
	return false
}

// orderFirst names the step that has to succeed before the claim may follow the arrow.
func orderFirst(rule machine.Rule[Status, Trigger]) (Step, bool) {
	if rule.Trigger == FinishRefund {
		return "", false
	}
	step, first := firstSteps[rule.To]
	return step, first
}

// register notes that an arrow is to be followed as soon as its step is done; until then nothing can be seen of it, but for the parcel
// of a reshipment, which is on its way.
func (ch *Change) register(e Evidence, step Step) {
	e.Pending = true
	ch.Next.Performed = ch.Next.Performed.with(e)
	ch.Steps = append(ch.Steps, step)
	if e.Action == Reship {
		ch.Steps = append(ch.Steps, TouchOrder)
	}
}

// Awaits returns what is registered and the step that it waits for; nil when nothing is.
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

// arrow finds the arrow that evidence is of.
func (c *Claim) arrow(e *Evidence) (machine.Rule[Status, Trigger], bool) {
	return c.start(Command{Action: e.Trigger(), Values: e.Values, Actor: e.Actor})
}

// Settled says where the claimed quantity of a line lives since the order's side is done.
type Settled struct {
	ItemID, SettledItemID uuid.UUID
}

// Confirm completes what was registered after its step succeeded on the order's side: from then on it cannot be refused any more.
// settled is empty but for a reshipment. AlreadyDone when that is not registered any more, since someone else was faster.
func (c *Claim) Confirm(registered Evidence, settled []Settled, around Surroundings, now time.Time) Decision {
	evidence := c.Performed.Of(registered.Action)
	if evidence == nil || !evidence.Pending || !evidence.same(registered) {
		return Decision{Verdict: AlreadyDone}
	}
	rule, ok := c.arrow(evidence)
	if !ok {
		return refused(c.Problem(apierr.IdempotencyUnresolved))
	}
	change := c.begin(rule.Trigger, evidence.Actor, now)
	change.Next.Performed = c.Performed.without(evidence.Action)
	if slices.Contains(Actions(), evidence.Action) {
		done := *evidence
		done.Pending = false
		change.Next.Performed = c.Performed.with(done)
	}
	change.Next.settle(settled)
	change.enter(rule, around.Periods, around.Undone)
	return Decision{Verdict: Execute, Change: change}
}

// Abandon takes back what was registered, since its step is impossible on the order's side. AlreadyDone when that is not
// registered any more: a refusal can come so late that the action was taken back and registered anew meanwhile, and says
// nothing about the new registration.
func (c *Claim) Abandon(registered Evidence, now time.Time) Decision {
	evidence := c.Performed.Of(registered.Action)
	if evidence == nil || !evidence.Pending || !evidence.same(registered) {
		return Decision{Verdict: AlreadyDone}
	}
	change := c.begin(registered.Trigger(), Actor{Kind: ByService}, now)
	change.Next.Performed = c.Performed.without(registered.Action)
	change.Next.ReplacedBy = "" // where it is a conversion
	change.Steps = []Step{TouchOrder}
	return Decision{Verdict: Execute, Change: change}
}

// Reshipment returns the registered reshipment that an operator can cancel; nil when an operator has canceled the last one and no other
// was registered since. IDEMPOTENCY_UNRESOLVED when there is none.
func (c *Claim) Reshipment() (*Evidence, error) {
	reship, canceled := c.Performed.Of(Reship), c.Performed.Of(CancelReshipment)
	switch {
	case reship != nil && reship.Pending:
		return reship, nil
	case reship == nil && canceled != nil && canceled.Actor.Kind == ByOperator:
		return nil, nil //nolint:nilnil // it is done
	case reship == nil && canceled != nil: // the service found out before its operator could say so
		return canceled, nil
	default:
		return nil, c.Problem(apierr.IdempotencyUnresolved)
	}
}

// CancelReshipment takes back a registered reshipment that the order's side will not ship any more. Reason is the operator's, for the
// history. AlreadyDone when another reshipment is registered or done since.
func (c *Claim) CancelReshipment(registered Evidence, actor Actor, reason string, now time.Time) Decision {
	if reship := c.Performed.Of(Reship); reship != nil && (!reship.Pending || !reship.same(registered)) {
		return Decision{Verdict: AlreadyDone}
	}
	change := c.begin(CancelReshipment, actor, now)
	change.Memo = reason
	change.Next.Performed = c.Performed.without(Reship).with(Evidence{Action: CancelReshipment, Actor: actor, At: now})
	change.Steps = []Step{TouchOrder}
	return Decision{Verdict: Execute, Change: change}
}

// AfterRefund are the steps that a refund calls for which has just succeeded: with the refund of a claim that waits for
// nothing else, the claim can be finished.
func (c *Claim) AfterRefund(r Refund) []Step {
	if r.Status == RefundSucceeded && r.Kind == MainRefund && c.Status == RefundProcessing {
		return []Step{FinishClaim}
	}
	return nil
}

// Finish completes a claim in refund_processing: the lines are settled, and the refund has succeeded or there is none,
// which is the caller's to know. AlreadyDone when it is completed.
func (c *Claim) Finish(settled []Settled, now time.Time) Decision {
	return c.happen(FinishRefund, Actor{Kind: ByService}, now, Completed, func(change *Change) {
		change.Next.settle(settled)
	})
}

// settle notes where the claimed quantities live.
func (c *Claim) settle(settled []Settled) {
	for _, s := range settled {
		for i := range c.Items {
			if c.Items[i].ItemID == s.ItemID {
				c.Items[i].SettledItemID = &s.SettledItemID
			}
		}
	}
}
