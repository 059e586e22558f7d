package claim

import (
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/machine"
)

// Command is one action with its values.
type Command struct {
	Action Trigger
	Values Values
	Actor  Actor
	// At is when it was done, where that is told late; nil, and in the future: now.
	At *time.Time
}

// when is the time that the action counts from: not before the claim was requested or what was done last.
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

// Surroundings are what decisions need to know beside the claim. The zero value is enough to find out whether an action
// would be executed.
type Surroundings struct {
	Periods Periods
	Undone  Undone
}

// Verdict is one of the three answers of the retry rule.
type Verdict int

// The answers.
const (
	// Refused: Decision.Err says why.
	Refused Verdict = iota
	// Execute: Decision.Change says what to save.
	Execute
	// AlreadyDone: nothing changes.
	AlreadyDone
)

// String names the verdict.
func (v Verdict) String() string {
	return [...]string{"refused", "execute", "already done"}[v]
}

// Decision is the answer to an action or to an event.
type Decision struct {
	Verdict Verdict
	// Change is set for Execute.
	Change Change
	// Resumed tells that the action had been registered before and is to be completed now; nothing is to be saved.
	Resumed bool
	// NeedsLines tells, for Execute, that the action only makes sense while the claim holds its lines on the order's side
	// and they can still go where it leads. The caller asks for that first, and reports with [Claim.Refuse]. An action that
	// had been registered before is not asked about again.
	NeedsLines bool
	// Err is set for Refused: an apierr with the claim's status and available actions.
	Err error
}

// Decide applies the retry rule to an action. Values must have passed [Values.Check]. Refusals:
//
//	IDEMPOTENCY_UNRESOLVED  the claim is not where the action starts and there is no evidence of it with these values;
//	                        or the action is registered with other values
//	CLAIM_NOT_…             the claim is where the action starts but frozen
//
// Facts of the order are the caller's to ask for, see NeedsLines.
func Decide(c *Claim, cmd Command, around Surroundings, now time.Time) Decision {
	rule, starts := c.start(cmd)
	switch {
	case starts:
		return c.execute(rule, cmd, around, cmd.when(c, now))
	case c.hasDone(cmd):
		return Decision{Verdict: AlreadyDone}
	default:
		return refused(c.Problem(apierr.IdempotencyUnresolved))
	}
}

// start finds the arrow that the action would follow from here.
func (c *Claim) start(cmd Command) (machine.Rule[Status, Trigger], bool) {
	for _, rule := range c.Type.Machine().Find(c.Status, cmd.Action) {
		if allows(rule, cmd.Actor.Kind) && fits(rule, cmd.Values) {
			return rule, true
		}
	}
	return machine.Rule[Status, Trigger]{}, false
}

// allows reports whether the actor may follow an arrow: what the API may, an operator may on the seller's behalf.
func allows(rule machine.Rule[Status, Trigger], kind ActorKind) bool {
	return rule.Actor == string(kind) || (rule.Actor == string(ByAPI) && kind == ByOperator)
}

// fits tells apart the arrows of an inspection that passes and one that fails.
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

// hasDone reports whether the action was performed before with the same values, by whomever.
func (c *Claim) hasDone(cmd Command) bool {
	evidence := c.Performed.Done(cmd.Action)
	return evidence != nil && evidence.Values.Same(cmd.Values)
}

// execute follows the arrow, or registers the action when the order's side has to come first.
func (c *Claim) execute(rule machine.Rule[Status, Trigger], cmd Command, around Surroundings, now time.Time) Decision {
	if pending := c.Performed.Pending(); pending != nil {
		if pending.Action != cmd.Action || !pending.Values.Same(cmd.Values) {
			return refused(c.Problem(apierr.IdempotencyUnresolved))
		}
		return Decision{Verdict: Execute, Resumed: true, Change: c.begin(cmd.Action, cmd.Actor, now)}
	}
	if c.Freeze != nil { // what was registered before goes on: the parcel is on its way
		return refused(c.refuseFrozen(cmd.Action))
	}
	change := c.begin(cmd.Action, cmd.Actor, now)
	evidence := Evidence{Action: cmd.Action, Values: cmd.Values, Actor: cmd.Actor, At: now}
	if step, first := orderFirst(rule); first {
		change.register(evidence, step)
	} else {
		change.Next.Performed = c.Performed.with(evidence)
		change.enter(rule, around.Periods, around.Undone)
	}
	return Decision{Verdict: Execute, Change: change, NeedsLines: !endsWithoutEffect(rule.To)}
}

// endsWithoutEffect reports whether a claim that reaches the state gives its lines back.
func endsWithoutEffect(s Status) bool { return s == Rejected || s == Withdrawn || s == Expired }

func refused(err error) Decision { return Decision{Verdict: Refused, Err: err} }
