package claim

import (
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/machine"
)

// Command is an action with its parameters.
type Command struct {
	Action Trigger
	Values Values
	Actor  Actor
	// At is when the action took place, if reported later; nil or a future time means now.
	At *time.Time
}

// when returns the effective time of the action: not before the claim's request or its last action.
func (cmd Command) when(c *Claim, now time.Time) time.Time {
	if cmd.At == nil || !cmd.At.Before(now) {
		return now
	}
	at := *cmd.At
	if at.Before(c.RequestedAt) {
		at = c.RequestedAt
	}
	for _, evidence := range c.Performed {
		if at.Before(evidence.At) {
			at = evidence.At
		}
	}
	return at
}

// Surroundings are what the completion of an action depends on besides the claim.
type Surroundings struct {
	Periods Periods
	Undone  Undone
}

// Verdict is one of the three outcomes of the retry rule.
type Verdict int

// The verdicts.
const (
	// Refused: Decision.Err is the reason.
	Refused Verdict = iota
	// Execute: Decision.Change is to be saved.
	Execute
	// AlreadyDone: nothing changes.
	AlreadyDone
)

// String implements fmt.Stringer.
func (v Verdict) String() string {
	return [...]string{"refused", "execute", "already done"}[v]
}

// Decision is the outcome for an action or event.
type Decision struct {
	Verdict Verdict
	// Change is set for Execute.
	Change Change
	// Resumed reports that the action was already registered and is to be completed now; nothing is to be saved.
	Resumed bool
	// Err is set for Refused: an apierr with the claim's status and available actions.
	Err error
}

// Saves reports whether there is something to save.
func (d *Decision) Saves() bool { return d.Verdict == Execute && !d.Resumed }

// Decide applies the retry rule to an action. Values must have passed [Values.Check]. Refusals:
//
//	IDEMPOTENCY_UNRESOLVED  the claim is not where the action starts and there is no evidence of it with these values;
//	                        or the action is registered with other values
//	CLAIM_NOT_…             the claim is where the action starts but frozen
//
// An action is only registered: its step checks the facts of the order, and [Claim.Confirm] follows the transition.
func Decide(c *Claim, cmd Command, now time.Time) Decision {
	rule, starts := c.start(cmd)
	switch {
	case starts:
		return c.registerAction(rule, cmd, cmd.when(c, now))
	case c.hasDone(cmd):
		return Decision{Verdict: AlreadyDone}
	default:
		return refused(c.Problem(apierr.IdempotencyUnresolved))
	}
}

// start returns the transition that the action would follow from the current state.
func (c *Claim) start(cmd Command) (machine.Rule[Status, Trigger], bool) {
	for _, rule := range c.Type.Machine().Find(c.Status, cmd.Action) {
		if allows(rule, cmd.Actor.Kind) && fits(rule, cmd.Values) {
			return rule, true
		}
	}
	return machine.Rule[Status, Trigger]{}, false
}

// allows reports whether the actor may follow a transition. An operator may do what the API may, on the seller's behalf.
func allows(rule machine.Rule[Status, Trigger], kind ActorKind) bool {
	return rule.Actor == string(kind) || (rule.Actor == string(ByAPI) && kind == ByOperator)
}

// fits reports whether an inspection's result matches the transition: passed or failed.
func fits(rule machine.Rule[Status, Trigger], values Values) bool {
	switch rule.Condition {
	case passed:
		return values.Result == Pass
	case failed:
		return values.Result == Fail
	default:
		return true
	}
}

// hasDone reports whether the action was already performed with the same values, by any actor.
func (c *Claim) hasDone(cmd Command) bool {
	evidence := c.Performed.Done(cmd.Action)
	return evidence != nil && evidence.Values.Same(cmd.Values)
}

func (c *Claim) registerAction(rule machine.Rule[Status, Trigger], cmd Command, now time.Time) Decision {
	if pending := c.Performed.Pending(); pending != nil {
		if pending.Action != cmd.Action || !pending.Values.Same(cmd.Values) {
			return refused(c.Problem(apierr.IdempotencyUnresolved))
		}
		return Decision{Verdict: Execute, Resumed: true, Change: c.begin(cmd.Action, cmd.Actor, now)}
	}
	if c.Freeze != nil { // an action registered earlier continues: the parcel is on its way
		return refused(c.refuseFrozen(cmd.Action))
	}
	change := c.begin(cmd.Action, cmd.Actor, now)
	change.register(Evidence{Action: cmd.Action, Values: cmd.Values, Actor: cmd.Actor, At: now}, firstSteps[rule.To])
	return Decision{Verdict: Execute, Change: change}
}

// endsWithoutEffect reports whether a claim that reaches the state releases its lines.
func endsWithoutEffect(s Status) bool { return s == Rejected || s == Withdrawn || s == Expired }

func refused(err error) Decision { return Decision{Verdict: Refused, Err: err} }
