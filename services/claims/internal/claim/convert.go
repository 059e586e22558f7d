package claim

import (
	"time"

	"sellerapi.dev/pkg/apierr"
)

// converted maps the state of an exchange to the initial state of the return that replaces it, which depends on where the goods
// are.
var converted = map[Status]Status{
	Requested:  Requested,
	Approved:   Approved,
	Collecting: Collecting,
	Collected:  Collected,
	Inspecting: Collected,
	Reshipping: RefundProcessing,
}

// returnStatus returns the initial state of the return that replaces the claim. An exchange that has left reshipping shows
// inspecting, but has passed; see [Claim.LeaveReshipping].
func (c *Claim) returnStatus() Status {
	if c.Status == Inspecting && c.Performed.Done(Inspect) != nil {
		return converted[Reshipping]
	}
	return converted[c.Status]
}

// PaysAtOnce reports whether the return that replaces the claim would refund at once.
func (c *Claim) PaysAtOnce() bool { return c.returnStatus() == RefundProcessing }

// Conversion is an exchange that ends and the return that replaces it. Both are saved in one transaction.
type Conversion struct {
	Verdict Verdict
	Old     Change
	New     Change
	// Err is set for Refused.
	Err error
}

// RegisterConversion registers the replacement of an exchange by a return with the given number. Nothing else can happen to the
// claim until the orders service has moved the lines to the return, or refused to.
//
// AlreadyDone when that return already replaced the exchange. IDEMPOTENCY_UNRESOLVED when the claim is not an open exchange, when
// another return replaced it or is registered to, while another action is pending, or (with the operator's reason) when it is
// frozen and its return would be paid at once.
func (c *Claim) RegisterConversion(returnNo, operator string, now time.Time) Decision {
	actor := Actor{Kind: ByOperator, Name: operator}
	pending := c.Performed.Pending()
	switch {
	case c.Status == ConvertedToReturn && c.ReplacedBy == returnNo:
		return Decision{Verdict: AlreadyDone}
	case pending != nil && pending.Action == ConvertToReturn && c.ReplacedBy == returnNo:
		return Decision{Verdict: Execute, Resumed: true, Change: c.begin(ConvertToReturn, actor, now)}
	case c.Freeze != nil && c.PaysAtOnce():
		return refused(c.refuseFrozen(ConvertToReturn))
	case pending != nil || len(c.Type.Machine().Find(c.Status, ConvertToReturn)) == 0:
		return refused(c.Problem(apierr.IdempotencyUnresolved))
	}
	change := c.begin(ConvertToReturn, actor, now)
	change.Next.ReplacedBy = returnNo
	change.register(Evidence{Action: ConvertToReturn, Actor: actor, At: now}, ConvertLines)
	return Decision{Verdict: Execute, Change: change}
}

// LeaveReshipping lets an exchange whose conversion is registered show that an operator decides, after the orders service has
// closed its replacement lines and before it cancels them: a claim in reshipping promises that its lines can be shipped.
// AlreadyDone when the claim is not reshipping, or the conversion is no longer registered.
func (c *Claim) LeaveReshipping(returnNo string, now time.Time) Decision {
	registered := c.Performed.Pending()
	if c.Status != Reshipping || registered == nil || registered.Action != ConvertToReturn || c.ReplacedBy != returnNo {
		return Decision{Verdict: AlreadyDone}
	}
	change := c.begin(ConvertToReturn, registered.Actor, now)
	change.Path = c.Type.Machine().Find(c.Status, ConvertToReturn)[0].Via
	change.Next.Status = change.Path[len(change.Path)-1]
	return Decision{Verdict: Execute, Change: change}
}

// Convert completes a registered conversion after the orders service has moved the lines: the exchange ends and the return
// replaces it. The customer is refunded what was prepaid for the exchange; what the exchange has already refunded is deducted
// from the return's refund. AlreadyDone when another process completed it. IDEMPOTENCY_UNRESOLVED when nothing is registered.
func (c *Claim) Convert(policy Policy, around Surroundings, now time.Time) Conversion {
	if c.Status == ConvertedToReturn {
		return Conversion{Verdict: AlreadyDone}
	}
	registered := c.Performed.Of(ConvertToReturn)
	rules := c.Type.Machine().Find(c.Status, ConvertToReturn)
	if registered == nil || len(rules) == 0 {
		return Conversion{Verdict: Refused, Err: c.Problem(apierr.IdempotencyUnresolved)}
	}
	old := c.follow(rules[0], registered.Actor, now, around, func(change *Change) {
		change.Next.Performed = c.Performed.without(ConvertToReturn)
	})
	return Conversion{Verdict: Execute, Old: old.Change, New: c.successor(c.ReplacedBy, registered.Actor, policy, around, now)}
}

// successor returns the opening of the return that replaces the exchange.
func (c *Claim) successor(no string, actor Actor, policy Policy, around Surroundings, now time.Time) Change {
	next := Claim{
		No: no, OrderNo: c.OrderNo, SellerID: c.SellerID, Type: Return, Status: c.returnStatus(), Reason: c.Reason,
		Items: c.returnItems(), Performed: c.inherited(), Freeze: c.inheritedFreeze(), RequestedAt: now, Replaces: c.No,
	}
	next.Money = quote(Return, next.Fault(), next.Items, c.Money, policy)
	if c.Money.Refund != nil {
		next.Money.AlreadyRefunded, next.Money.AlreadyPoints = *c.Money.Refund, c.Money.RefundPoints
	}
	next.Money.deductOnly()
	change := Change{Trigger: ConvertToReturn, Actor: actor, At: now, Next: next, Path: []Status{next.Status}}
	switch next.Status {
	case RefundProcessing:
		change.fixRefund(around.Undone)
	case Collected:
		due := now.Add(around.Periods.Inspection)
		change.Next.InspectionDueAt = &due
	default:
	}
	return change
}

// deductOnly limits the fee of a return to what its refund can pay: the goods are on their way, so no payment is awaited for the
// rest. The way back is charged before the way out.
func (m *Money) deductOnly() {
	back := m.Fee - m.WayOut
	m.Fee = min(m.Fee, m.Goods-m.AlreadyRefunded)
	m.WayOut = max(0, m.Fee-back)
	m.Shortfall = 0
}

// FeeOneWay returns the fee of one way that an exchange was quoted, which a return in its place charges as well.
func (c *Claim) FeeOneWay() int64 { return c.Money.Fee / 2 }

func (c *Claim) returnItems() []Item {
	items := make([]Item, 0, len(c.Items))
	for _, item := range c.Items {
		if c.Money.Refund != nil {
			item.AlreadyRefunded = item.cheaper()
		}
		item.ExchangeOptionName, item.ExchangeListPrice, item.ExchangeUnitPrice, item.Difference = "", 0, 0, 0
		items = append(items, item)
	}
	return items
}

// inherited returns the evidence that also applies to the return, because it concerns the goods.
func (c *Claim) inherited() Evidences {
	var kept Evidences
	for _, evidence := range c.Performed {
		if !evidence.Pending {
			kept = append(kept, evidence)
		}
	}
	return kept
}
