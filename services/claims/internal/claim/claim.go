package claim

import (
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
)

// Claim is the state of one claim. The rules never modify a claim in place: they return a [Change] with the next one.
type Claim struct {
	No       string
	OrderNo  string
	SellerID uuid.UUID
	Type     Type
	Status   Status
	Reason   Reason
	Items    []Item
	Money    Money
	// Performed holds the evidence of actions, at most one per action.
	Performed Evidences
	Freeze    *Freeze
	// RequestedAt, CompletedAt, UpdatedAt: CompletedAt is set when the claim ends, in any terminal state.
	RequestedAt time.Time
	CompletedAt *time.Time
	UpdatedAt   time.Time
	// PaymentDueAt is set in payment_pending, InspectionDueAt while a return is collected. When they pass, ExpirePayment and
	// PassUninspected apply.
	PaymentDueAt    *time.Time
	InspectionDueAt *time.Time
	// ReplacedBy is the return that replaced an exchange, Replaces the exchange that a return replaced.
	ReplacedBy, Replaces string
}

// Item is the claimed quantity of one line.
type Item struct {
	// ItemID is the line that was claimed.
	ItemID uuid.UUID
	// SettledItemID is the line that carries the claimed quantity after the claim has finished: the same one, or the one that was
	// split off.
	SettledItemID *uuid.UUID
	// ItemCode is the code of the claimed line; it never changes.
	ItemCode           string
	Quantity           int64
	ProductName        string
	OptionName         string
	ExchangeOptionName string
	// ExchangeListPrice is the list price of one piece of the replacement goods; 0: that of the claimed line.
	ExchangeListPrice int64
	// ExchangeUnitPrice is the unit price of the replacement goods; 0: that of the claimed line.
	ExchangeUnitPrice int64
	// Goods is the amount paid for the claimed quantity; Difference is by how much the replacement goods cost more (negative: less).
	// Both in the order's currency.
	Goods      int64
	Difference int64
	// Points is the part of Goods that was paid with points; AlreadyRefunded the part of Goods that the exchange replaced by this
	// return has refunded, before its fee.
	Points, AlreadyRefunded int64
}

// CurrentItemID returns the line that carries the claimed quantity now.
func (i Item) CurrentItemID() uuid.UUID {
	if i.SettledItemID != nil {
		return *i.SettledItemID
	}
	return i.ItemID
}

// Quantity returns the claimed quantity of all items.
func (c *Claim) Quantity() int64 {
	var sum int64
	for _, item := range c.Items {
		sum += item.Quantity
	}
	return sum
}

// FreezeCode is the reason for a freeze that a seller may see.
type FreezeCode string

// The freeze codes.
const (
	FreezeDispute      FreezeCode = "dispute"
	FreezeFraudCheck   FreezeCode = "fraud_check"
	FreezePaymentCheck FreezeCode = "payment_check"
	FreezeOther        FreezeCode = "other"
)

// FreezeCodes returns all freeze codes.
func FreezeCodes() []FreezeCode {
	return []FreezeCode{FreezeDispute, FreezeFraudCheck, FreezePaymentCheck, FreezeOther}
}

// Freeze blocks all actions on a claim, set by an operator. Reason is the operator's text, which sellers do not see.
type Freeze struct {
	By     string
	Code   FreezeCode
	Reason string
	At     time.Time
	// Pending is the change that is registered and waits for the orders service, FreezeSet or FreezeLifted; empty if there is none.
	// Until then no answer says that the claim is frozen, or that it is not any more.
	Pending Trigger
}

// Values are the parameters of an action. Only those that the action takes are set.
type Values struct {
	Carrier    carrier.Name
	TrackingNo carrier.TrackingNo
	Result     Result
	// Memo is stored with the evidence and never compared.
	Memo string
}

// Same reports whether two calls of one action are equivalent.
func (v Values) Same(other Values) bool {
	return v.Carrier == other.Carrier && v.TrackingNo == other.TrackingNo && v.Result == other.Result
}

// Evidence says that an action was performed, or (Pending) that an action or event is registered and waits for the orders
// service. Completed events other than actions leave no evidence, but an uninspected return that passes leaves an inspection by
// the service. Nobody sees a registration (Hidden), except that of a reshipment that has to wait.
type Evidence struct {
	Action  Trigger
	Values  Values
	Actor   Actor
	At      time.Time
	Pending bool
	Hidden  bool
}

// Trigger returns the trigger of the transition that the evidence belongs to.
func (e *Evidence) Trigger() Trigger {
	if e.Action == Inspect && e.Actor.Kind == ByService {
		return PassUninspected
	}
	return e.Action
}

// Ref identifies a registration, so that the orders service can distinguish it from others of the same action.
func (e *Evidence) Ref() string { return string(e.Action) + "@" + e.At.UTC().Format(time.RFC3339Nano) }

// same reports whether both belong to one registration.
func (e *Evidence) same(other Evidence) bool {
	return e.Action == other.Action && e.At.Equal(other.At) && e.Values.Same(other.Values)
}

// Evidences is a claim's evidence in chronological order.
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

// Shown returns the evidence of an action that a seller sees; nil when there is none.
func (e Evidences) Shown(action Trigger) *Evidence {
	if found := e.Of(action); found != nil && !found.Hidden {
		return found
	}
	return nil
}

// Pending returns the registered action that waits for the orders service; nil when there is none.
func (e Evidences) Pending() *Evidence {
	for i := range e {
		if e[i].Pending {
			return &e[i]
		}
	}
	return nil
}

func (e Evidences) with(added Evidence) Evidences {
	return append(e.without(added.Action), added)
}

func (e Evidences) without(action Trigger) Evidences {
	var kept Evidences
	for _, evidence := range e {
		if evidence.Action != action {
			kept = append(kept, evidence)
		}
	}
	return kept
}

// Fault returns the party that bears the shipping fee.
func (c *Claim) Fault() Fault { return c.Reason.Fault() }

// AvailableActions returns the actions that can be newly executed, which depend on type and status alone.
func (c *Claim) AvailableActions() []Trigger {
	return c.Type.Machine().Triggers(c.Status, string(ByAPI))
}

// Problem returns an error with the claim's status and available actions, which a client may see.
func (c *Claim) Problem(code apierr.Code) *apierr.Error {
	return code.With(map[string]any{"status": c.Status, "available_actions": c.AvailableActions()})
}

// refuseFrozen returns the refusal of an action on a frozen claim: Unavailable, which no idempotency key keeps, while the freeze
// or its end is registered.
func (c *Claim) refuseFrozen(action Trigger) error {
	if c.Freeze.Pending != "" {
		return apierr.Unavailable
	}
	return c.Refuse(action, "frozen").With(map[string]any{"code": c.Freeze.Code})
}

// Deadlines returns when an uninspected return passes and until when a shortfall can be paid. Each is nil when nothing happens
// at that time, also while the claim is frozen.
func (c *Claim) Deadlines() (inspection, payment *time.Time) {
	if c.Freeze != nil {
		return nil, nil
	}
	return c.InspectionDueAt, c.PaymentDueAt
}

// LinesNotHeld is the reason of a refusal when the claim does not hold its lines, or when they cannot reach the target state.
const LinesNotHeld = "lines_not_held"

// Refuse returns the refusal of an action because of a fact outside the claim, which reason names.
func (c *Claim) Refuse(action Trigger, reason string) *apierr.Error {
	return c.Problem(action.Refusal()).With(map[string]any{"reason": reason}).Meaning(hints[reason])
}

// hints are the texts of the reasons that a client can act on and that neither the claim nor the code states.
var hints = map[string]apierr.Phrase{"frozen": apierr.HintFrozen, "parcel": apierr.HintParcel}
