package claim

import (
	"slices"
	"time"

	"sellerapi.dev/pkg/machine"
)

// Step is work outside the claim's own rows that results from a change. Steps run after the commit, and each takes effect once,
// however often it is tried.
type Step string

// The steps.
const (
	// TouchOrder updates the order's updated_at after a change that no other step precedes.
	TouchOrder Step = "touch-order"
	// TouchHeld updates the order's updated_at if the claim holds its lines and can complete; then [Claim.Confirm].
	TouchHeld Step = "touch-held"
	// ReleaseLines releases the lines of a claim that will end without effect; then [Claim.Confirm].
	ReleaseLines Step = "release-lines"
	// SealLines ensures that the lines can be settled when the refund is paid; then [Claim.Confirm].
	SealLines Step = "seal-lines"
	// AddExchangeLine creates the replacement line; then [Claim.Confirm].
	AddExchangeLine Step = "add-exchange-line"
	// ShipExchangeLine ships the replacement line; then [Claim.Confirm].
	ShipExchangeLine Step = "ship-exchange-line"
	// FreezeLines reports to the orders service whether the claim is frozen; then [Claim.ConfirmFreeze].
	FreezeLines Step = "freeze-lines"
	// FinishClaim settles the lines, then completes the claim. It is planned when there is nothing to refund, and by
	// [Claim.AfterRefund] when the refund has succeeded.
	FinishClaim Step = "finish-claim"
	// PayRefunds makes the first request to the provider for the queued refunds.
	PayRefunds Step = "pay-refunds"
	// ConvertLines moves the lines to the return that will replace the exchange; then [Claim.Convert].
	ConvertLines Step = "convert-lines"
	// OpenLines holds the lines of a request and opens its claim. No change adds it: it precedes the claim.
	OpenLines Step = "open-lines"
)

// Change is everything that one decision changes. The store writes it in one transaction and applies no rules.
type Change struct {
	// Trigger and Actor are the cause, At is the time; Memo is an operator's reason, for the history.
	Trigger Trigger
	Actor   Actor
	At      time.Time
	Memo    string
	// Next is the claim after the change. The store sets UpdatedAt.
	Next Claim
	// Hidden says that nothing of the change is visible, so that updated_at stays.
	Hidden bool
	// Path lists the states that were entered, Next.Status last; empty if the state does not change.
	Path []Status
	// Refunds are queued, Entries are added to the ledger.
	Refunds []Refund
	Entries []LedgerEntry
	// Claimed are the lines of a new claim with the amount paid for the whole of each; GivenBack are the amounts that a refund fixed
	// by this change returns for them.
	Claimed, GivenBack []LineAmount
	// Steps run after the commit.
	Steps []Step
}

// Periods are the time limits of claims.
type Periods struct {
	// Request: the time after delivery in which a return or an exchange can be requested.
	Request time.Duration
	// Inspection: the time after collection at which an uninspected return passes automatically.
	Inspection time.Duration
	// Payment: the time limit for paying a shortfall.
	Payment time.Duration
}

// DefaultPeriods returns the periods for a configuration that sets none.
func DefaultPeriods() Periods {
	return Periods{Request: 7 * 24 * time.Hour, Inspection: 72 * time.Hour, Payment: 72 * time.Hour}
}

// begin returns a change that modifies nothing yet.
func (c *Claim) begin(trigger Trigger, actor Actor, now time.Time) Change {
	next := *c
	next.Items = slices.Clone(c.Items)
	next.Performed = slices.Clone(c.Performed)
	return Change{Trigger: trigger, Actor: actor, At: now, Next: next}
}

// enter follows a transition of the table and applies the effects of the new state, which are the same for every trigger. A step
// that precedes the transition has updated the order's updated_at.
func (ch *Change) enter(rule machine.Rule[Status, Trigger], periods Periods, undone Undone) {
	ch.Path = append(slices.Clone(rule.Via), rule.To)
	next := &ch.Next
	next.Status = rule.To
	next.PaymentDueAt, next.InspectionDueAt = nil, nil
	switch rule.To {
	case Collected:
		if next.Type == Return {
			due := ch.At.Add(periods.Inspection)
			next.InspectionDueAt = &due
		}
	case RefundProcessing, Reshipping:
		ch.fixRefund(undone)
	case Completed:
		next.end(ch.At)
	case Rejected, Withdrawn, Expired, ConvertedToReturn:
		next.end(ch.At)
		ch.returnShortfall()
	case Requested, Inspecting:
		ch.Steps = append(ch.Steps, TouchOrder)
	case PaymentPending, Approved, Collecting:
	}
}

// end records the time at which a claim reached a terminal state.
func (c *Claim) end(at time.Time) { c.CompletedAt = &at }

// fixRefund fixes the claim's refund, which never changes afterwards, and queues it.
func (ch *Change) fixRefund(undone Undone) {
	next := &ch.Next
	next.Money = next.Money.fix(next.Type, next.Fault(), next.Quantity(), next.pointsBack(), undone)
	ch.GivenBack = next.givenBack()
	switch {
	case next.Money.owed():
		ch.Refunds = append(ch.Refunds, newRefund(next, MainRefund, *next.Money.Refund, next.Money.RefundPoints, ch.At))
		ch.Steps = append(ch.Steps, PayRefunds)
	case next.Status == RefundProcessing:
		ch.Steps = append(ch.Steps, FinishClaim)
	}
}

// returnShortfall queues the refund of the customer's prepayment for a claim that ends without effect.
func (ch *Change) returnShortfall() {
	next := &ch.Next
	if next.Money.ShortfallPaid == 0 {
		return
	}
	ch.Refunds = append(ch.Refunds, newRefund(next, ShortfallReturn, next.Money.ShortfallPaid, 0, ch.At))
	ch.Steps = append(ch.Steps, PayRefunds)
}
