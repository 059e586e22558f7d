package claim

import "sellerapi.dev/pkg/apierr"

// The actions of the public interface.
const (
	Approve     Trigger = "approve"
	Reject      Trigger = "reject"
	Pickup      Trigger = "pickup"
	CollectDone Trigger = "collect-done"
	Inspect     Trigger = "inspect"
	Reship      Trigger = "reship"
)

// Takes is the set of parameters of an action: the body in the public interface, or the members of an operator's command.
type Takes int

// The parameters of actions.
const (
	// TakesNothing: no parameters; a body is ignored.
	TakesNothing Takes = iota
	// TakesMemo: a memo of one character or more.
	TakesMemo
	// TakesShipment: a carrier and a tracking number.
	TakesShipment
	// TakesInspection: a result, and a memo for a failed inspection.
	TakesInspection
)

// actions is the table of the actions of the public interface, in its order. states.go defines where each starts and where it
// leads; the operation NAME_claim of the public interface performs it.
var actions = []struct {
	name    Trigger
	takes   Takes
	refusal apierr.Code
}{
	{Approve, TakesNothing, apierr.ClaimNotApprovable},
	{Reject, TakesMemo, apierr.ClaimNotRejectable},
	{Pickup, TakesShipment, apierr.ClaimNotCollectable},
	{CollectDone, TakesNothing, apierr.ClaimNotCollectDone},
	{Inspect, TakesInspection, apierr.ClaimNotInspectable},
	{Reship, TakesShipment, apierr.ClaimNotReshippable},
}

// Actions returns the actions of the public interface in its order.
func Actions() []Trigger {
	names := make([]Trigger, 0, len(actions))
	for _, row := range actions {
		names = append(names, row.name)
	}
	return names
}

// Takes returns the parameters of an action; false if the trigger is not an action.
func (t Trigger) Takes() (Takes, bool) {
	for _, row := range actions {
		if row.name == t {
			return row.takes, true
		}
	}
	return TakesNothing, false
}

// Refusal returns the CLAIM_NOT_… code of an action that a fact outside the claim forbids; IDEMPOTENCY_UNRESOLVED if the trigger
// is not an action.
func (t Trigger) Refusal() apierr.Code {
	for _, row := range actions {
		if row.name == t {
			return row.refusal
		}
	}
	return apierr.IdempotencyUnresolved
}

// Check returns an error for values that the action does not accept: CLAIM_MEMO_REQUIRED for a failed inspection without memo,
// VALIDATION_ERROR for any other action that takes a memo. An empty memo counts as missing.
func (v Values) Check(action Trigger) error {
	takes, _ := action.Takes()
	switch {
	case v.Memo != "":
		return nil
	case takes == TakesInspection && v.Result == Fail:
		return apierr.ClaimMemoRequired
	case takes == TakesMemo:
		return apierr.Invalid(apierr.Problem("memo", apierr.FieldEmpty, apierr.IsEmpty))
	default:
		return nil
	}
}
