package claim

import (
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/machine"
)

// apply follows the transition of an event that is not a seller's action, or registers it if the orders service has to confirm it
// first. AlreadyDone when the claim is in the event's target state; IDEMPOTENCY_UNRESOLVED when the event cannot happen in this
// state, or not now because another registration is pending.
func (c *Claim) apply(event Trigger, actor Actor, now time.Time, done Status, more ...func(*Change)) Decision {
	if c.Status == done {
		return Decision{Verdict: AlreadyDone}
	}
	rules, pending := c.Type.Machine().Find(c.Status, event), c.Performed.Pending()
	switch {
	case pending != nil && pending.Trigger() == event:
		return Decision{Verdict: Execute, Resumed: true, Change: c.begin(event, actor, now)}
	case pending != nil || len(rules) == 0:
		return refused(c.Problem(apierr.IdempotencyUnresolved))
	}
	if step, first := orderFirst(rules[0]); first {
		change := c.begin(event, actor, now)
		change.register(Evidence{Action: event, Actor: actor, At: now}, step)
		return Decision{Verdict: Execute, Change: change}
	}
	return c.follow(rules[0], actor, now, Surroundings{}, more...)
}

func (c *Claim) follow(rule machine.Rule[Status, Trigger], actor Actor, now time.Time, around Surroundings,
	more ...func(*Change),
) Decision {
	change := c.begin(rule.Trigger, actor, now)
	for _, add := range more {
		add(&change)
	}
	change.enter(rule, around.Periods, around.Undone)
	return Decision{Verdict: Execute, Change: change}
}

// Withdraw ends the claim at the customer's request, possible up to approved.
func (c *Claim) Withdraw(now time.Time) Decision {
	return c.apply(Withdraw, Actor{Kind: ByCustomer}, now, Withdrawn)
}

// HoldInspection hands the inspection of collected goods to an operator. IDEMPOTENCY_UNRESOLVED also for an exchange that shows
// inspecting because it is being converted, after it has passed.
func (c *Claim) HoldInspection(operator, reason string, now time.Time) Decision {
	if c.Status == Inspecting && c.PaysAtOnce() {
		return refused(c.Problem(apierr.IdempotencyUnresolved))
	}
	return c.apply(HoldInspection, Actor{Kind: ByOperator, Name: operator}, now, Inspecting, func(change *Change) {
		change.Memo = reason
	})
}

// PayShortfall records the customer's payment. The amount must be the whole shortfall (VALIDATION_ERROR). A payment for a claim
// that has ended in the meantime is refunded, or if the end is registered, refunded with it. AlreadyDone when this payment is
// recorded; IDEMPOTENCY_UNRESOLVED when another one is, because a second payment does not belong to the claim.
func (c *Claim) PayShortfall(paymentID string, amount int64, now time.Time) Decision {
	switch {
	case c.Money.ShortfallPaymentID != "" && c.Money.ShortfallPaymentID == paymentID:
		return Decision{Verdict: AlreadyDone}
	case c.Money.ShortfallPaymentID != "":
		return refused(c.Problem(apierr.IdempotencyUnresolved))
	case paymentID == "":
		return refused(apierr.Invalid(apierr.FieldError{Field: "payment_id", Code: apierr.FieldEmpty, Message: "must not be empty"}))
	case amount != c.Money.Shortfall || amount == 0:
		return refused(apierr.Invalid(apierr.FieldError{
			Field: "amount", Code: apierr.FieldRange, Message: "is not the shortfall of the claim",
		}))
	}
	paid := func(change *Change) {
		change.Next.Money.ShortfallPaid, change.Next.Money.ShortfallPaymentID = amount, paymentID
		change.Entries = append(change.Entries, LedgerEntry{Kind: ShortfallPayment, Amount: amount, Reference: paymentID})
	}
	if c.Status == PaymentPending && c.Performed.Pending() != nil {
		change := c.begin(PayShortfall, Actor{Kind: ByCustomer}, now)
		paid(&change)
		change.Steps = []Step{TouchOrder}
		return Decision{Verdict: Execute, Change: change}
	}
	if c.Status.Terminal() {
		change := c.begin(PayShortfall, Actor{Kind: ByCustomer}, now)
		paid(&change)
		change.returnShortfall()
		change.Steps = append(change.Steps, TouchOrder)
		return Decision{Verdict: Execute, Change: change}
	}
	return c.apply(PayShortfall, Actor{Kind: ByCustomer}, now, Requested, paid)
}

// ExpirePayment ends the claim when the shortfall was not paid in time. AlreadyDone when there is nothing to do: it is paid, has
// ended or is about to, is not yet due, or is frozen.
func (c *Claim) ExpirePayment(now time.Time) Decision {
	if c.Freeze != nil || !overdueAt(c.PaymentDueAt, now) || c.Performed.Pending() != nil {
		return Decision{Verdict: AlreadyDone}
	}
	return c.apply(ExpirePayment, Actor{Kind: ByService}, now, Expired)
}

// PassUninspected registers that an overdue inspection of returned goods passes, as an inspection by the service. AlreadyDone
// when there is nothing to do: the goods were inspected or are about to be, are not yet due, or the claim is frozen for an
// operator.
func (c *Claim) PassUninspected(now time.Time) Decision {
	rules := c.Type.Machine().Find(c.Status, PassUninspected)
	if len(rules) == 0 || c.Freeze != nil || c.Performed.Pending() != nil || !overdueAt(c.InspectionDueAt, now) {
		return Decision{Verdict: AlreadyDone}
	}
	actor := Actor{Kind: ByService}
	change := c.begin(PassUninspected, actor, now)
	step, _ := orderFirst(rules[0])
	change.register(Evidence{Action: Inspect, Values: Values{Result: Pass}, Actor: actor, At: now}, step)
	return Decision{Verdict: Execute, Change: change}
}

func overdueAt(due *time.Time, now time.Time) bool { return due != nil && !now.Before(*due) }
