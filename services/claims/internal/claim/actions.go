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

// Takes is what an action is called with: a body of the public interface, the members of an operator's command.
type Takes int

// What actions are called with.
const (
	// TakesNothing: a body is ignored.
	TakesNothing Takes = iota
	// TakesMemo: a memo of one character or more.
	TakesMemo
	// TakesShipment: carrier and tracking number.
	TakesShipment
	// TakesInspection: a result, and a memo when it is a failure.
	TakesInspection
)

// actions is the table of the actions of the public interface, in its order. Where each starts and leads to is in states.go;
// the operation NAME_claim of the public interface performs it.
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

// Takes is what an action is called with; false for what is no action.
func (t Trigger) Takes() (Takes, bool) {
	for _, row := range actions {
		if row.name == t {
			return row.takes, true
		}
	}
	return TakesNothing, false
}

// Refusal is the CLAIM_NOT_… code of an action that a fact outside of the claim forbids; IDEMPOTENCY_UNRESOLVED for what is no
// action.
func (t Trigger) Refusal() apierr.Code {
	for _, row := range actions {
		if row.name == t {
			return row.refusal
		}
	}
	return apierr.IdempotencyUnresolved
}

// Check refuses values that an action cannot be called with: CLAIM_MEMO_REQUIRED for a failed inspection without memo,
// VALIDATION_ERROR for any other action that takes a memo. An empty memo means none.
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
