package claim

import (
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
)

// Claim is one claim as it stands. The rules never change one in place: they return a [Change] that holds the next one.
type Claim struct {
	No       string
	OrderNo  string
	SellerID uuid.UUID
	Type     Type
	Status   Status
	Reason   Reason
	Items    []Item
	Money    Money
	// Performed holds the evidence of actions, at most one for each.
	Performed Evidences
	Freeze    *Freeze
	// RequestedAt, CompletedAt, UpdatedAt: CompletedAt is set when the claim ends, in whatever way.
	RequestedAt time.Time
	CompletedAt *time.Time
	UpdatedAt   time.Time
	// PaymentDueAt is set in payment_pending, InspectionDueAt while a return is collected: what happens when they pass is
	// ExpirePayment and PassUninspected.
	PaymentDueAt    *time.Time
	InspectionDueAt *time.Time
	// ReplacedBy is the return that an exchange was converted to, Replaces the exchange that a return came from.
	ReplacedBy, Replaces string
}

// Item is the claimed quantity of one line.
type Item struct {
	// ItemID is the line that was claimed.
	ItemID uuid.UUID
	// SettledItemID is the line that carries the claimed quantity since the claim finished: the same one, or the one
	// that was split off.
	SettledItemID *uuid.UUID
	// ItemCode is the claimed line's, and stays it.
	ItemCode           string
	Quantity           int64
	ProductName        string
	OptionName         string
	ExchangeOptionName string
	// ExchangeListPrice is what one piece of the exchanged goods is listed at; 0: as the claimed line.
	ExchangeListPrice int64
	// Goods is what was paid for the claimed quantity; Difference is what the exchanged goods cost more (or less, then
	// negative) than these. In the order's currency.
	Goods      int64
	Difference int64
	// Points is the part of Goods that was paid with points; AlreadyRefunded what the exchange that this return came from has
	// given back of Goods, before its fee.
	Points, AlreadyRefunded int64
}

// CurrentItemID is the line that carries the claimed quantity now.
func (i Item) CurrentItemID() uuid.UUID {
	if i.SettledItemID != nil {
		return *i.SettledItemID
	}
	return i.ItemID
}

// Quantity is the claimed quantity of all items.
func (c *Claim) Quantity() int64 {
	var sum int64
	for _, item := range c.Items {
		sum += item.Quantity
	}
	return sum
}

// FreezeCode says why a claim is frozen, in a word that a seller may read.
type FreezeCode string

// The codes of a freeze.
const (
	FreezeDispute      FreezeCode = "dispute"
	FreezeFraudCheck   FreezeCode = "fraud_check"
	FreezePaymentCheck FreezeCode = "payment_check"
	FreezeOther        FreezeCode = "other"
)

// FreezeCodes returns all codes of a freeze.
func FreezeCodes() []FreezeCode {
	return []FreezeCode{FreezeDispute, FreezeFraudCheck, FreezePaymentCheck, FreezeOther}
}

// Freeze is an operator's stop sign on a claim. Reason is the operator's text, which no seller sees.
type Freeze struct {
	By     string
	Code   FreezeCode
	Reason string
	At     time.Time
}

// Values are what an action was called with. Only the ones of the action are set.
type Values struct {
	Carrier    carrier.Name
	TrackingNo carrier.TrackingNo
	Result     Result
	// Memo is stored with the evidence and never compared.
	Memo string
}

// Same reports whether two calls of one action mean the same.
func (v Values) Same(other Values) bool {
	return v.Carrier == other.Carrier && v.TrackingNo == other.TrackingNo && v.Result == other.Result
}

// Evidence says that an action was performed, or (Pending) that it or another event is registered and waits for the order's side. What
// is no action leaves none when it is done. That a return passes uninspected is evidence of an inspection by the service.
type Evidence struct {
	Action  Trigger
	Values  Values
	Actor   Actor
	At      time.Time
	Pending bool
}

// Trigger is the arrow that the evidence is of.
func (e *Evidence) Trigger() Trigger {
	if e.Action == Inspect && e.Actor.Kind == ByService {
		return PassUninspected
	}
	return e.Action
}

// Ref names a registration, so that the order's side can tell it from others of the same action.
func (e *Evidence) Ref() string { return string(e.Action) + "@" + e.At.UTC().Format(time.RFC3339Nano) }

// same reports whether both are of one registration.
func (e *Evidence) same(other Evidence) bool {
	return e.Action == other.Action && e.At.Equal(other.At) && e.Values.Same(other.Values)
}

// Evidences is a claim's evidence in the order in which it came.
type Evidences []Evidence

// Of returns the evidence of an action; nil when there is none.
func (e Evidences) Of(action Trigger) *Evidence {
	for i := range e {
		if e[i].Action == action {
			return &e[i]
		}
	}
	return nil
}

// Done returns the evidence of an action that is not pending; nil when there is none.
func (e Evidences) Done(action Trigger) *Evidence {
	if found := e.Of(action); found != nil && !found.Pending {
		return found
	}
	return nil
}

// Pending returns the one registered action that waits for the order's side; nil when there is none.
func (e Evidences) Pending() *Evidence {
	for i := range e {
		if e[i].Pending {
			return &e[i]
		}
	}
	return nil
}

// with returns a copy with the evidence in place of any other of its action.
func (e Evidences) with(added Evidence) Evidences {
	return append(e.without(added.Action), added)
}

// without returns a copy without evidence of the action.
func (e Evidences) without(action Trigger) Evidences {
	var kept Evidences
	for _, evidence := range e {
		if evidence.Action != action {
			kept = append(kept, evidence)
		}
	}
	return kept
}

// Fault is who bears the shipping fee.
func (c *Claim) Fault() Fault { return c.Reason.Fault() }

// AvailableActions are the actions that can be newly executed, a function of type and status alone.
func (c *Claim) AvailableActions() []Trigger {
	return c.Type.Machine().Triggers(c.Status, string(ByAPI))
}

// Problem is a code with what a client may know of the claim: its status and what can be done now.
func (c *Claim) Problem(code apierr.Code) *apierr.Error {
	return code.With(map[string]any{"status": c.Status, "available_actions": c.AvailableActions()})
}

// refuseFrozen is the refusal of an action on a claim that is frozen.
func (c *Claim) refuseFrozen(action Trigger) *apierr.Error {
	return c.Refuse(action, "frozen").With(map[string]any{"code": c.Freeze.Code})
}

// Refuse is the refusal of an action by a fact outside of the claim, which reason names.
func (c *Claim) Refuse(action Trigger, reason string) *apierr.Error {
	return c.Problem(action.Refusal()).With(map[string]any{"reason": reason})
}
