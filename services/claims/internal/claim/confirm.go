package claim

import (
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
)

// Settled says where the claimed quantity of a line lives since the order's side is done.
type Settled struct {
	ItemID, SettledItemID uuid.UUID
}

// Confirm completes a registered action after its step succeeded on the order's side. settled is empty for an inspection.
// AlreadyDone when someone else was faster. IDEMPOTENCY_UNRESOLVED when nothing is registered.
func (c *Claim) Confirm(action Trigger, settled []Settled, around Surroundings, now time.Time) Decision {
	evidence := c.Performed.Of(action)
	if evidence == nil {
		return refused(c.Problem(apierr.IdempotencyUnresolved))
	}
	if !evidence.Pending {
		return Decision{Verdict: AlreadyDone}
	}
	rule, ok := c.start(Command{Action: action, Values: evidence.Values, Actor: evidence.Actor})
	if !ok {
		return refused(c.Problem(apierr.IdempotencyUnresolved))
	}
	change := c.begin(action, evidence.Actor, now)
	done := *evidence
	done.Pending, done.At = false, now
	change.Next.Performed = c.Performed.with(done)
	change.Next.settle(settled)
	change.enter(rule, around.Periods, around.Undone)
	return Decision{Verdict: Execute, Change: change}
}

// Abandon takes back what was registered, since its step is impossible on the order's side. AlreadyDone when that is not
// registered any more: a refusal can come so late that the action was taken back and registered anew meanwhile, and says
// nothing about the new registration.
func (c *Claim) Abandon(registered Evidence, now time.Time) Decision {
	evidence := c.Performed.Of(registered.Action)
	if evidence == nil || !evidence.Pending || !evidence.At.Equal(registered.At) || !evidence.Values.Same(registered.Values) {
		return Decision{Verdict: AlreadyDone}
	}
	change := c.begin(registered.Action, Actor{Kind: ByService}, now)
	change.Next.Performed = c.Performed.without(registered.Action)
	change.Next.ReplacedBy = "" // where it is a conversion
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
