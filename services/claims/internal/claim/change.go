package claim

import (
	"slices"
	"time"

	"sellerapi.dev/pkg/machine"
)

// Step is work outside of the claim's own rows that a change calls for. Steps are done after the commit, each once,
// however often they are tried.
type Step string

// The steps.
const (
	// TouchOrder moves the order's updated_at.
	TouchOrder Step = "touch-order"
	// ReleaseLines ends the hold of a claim that is to end without effect; then [Claim.Confirm].
	ReleaseLines Step = "release-lines"
	// SealLines makes sure that the lines can be settled when the refund is paid; then [Claim.Confirm].
	SealLines Step = "seal-lines"
	// AddExchangeLine creates the replacing line; then [Claim.Confirm].
	AddExchangeLine Step = "add-exchange-line"
	// ShipExchangeLine ships the replacing line; then [Claim.Confirm].
	ShipExchangeLine Step = "ship-exchange-line"
	// FreezeLines tells the order's side whether the claim is frozen.
	FreezeLines Step = "freeze-lines"
	// FinishClaim settles the lines, then completes the claim. It is called for when there is nothing to refund, and by
	// [Claim.AfterRefund] when the refund has succeeded.
	FinishClaim Step = "finish-claim"
	// PayRefunds asks the provider for the refunds that were queued, for the first time.
	PayRefunds Step = "pay-refunds"
	// ConvertLines hands the lines over to the return that shall take the place of the exchange; then [Claim.Convert].
	ConvertLines Step = "convert-lines"
	// OpenLines holds the lines of a request and opens its claim. No change calls for it: it comes before the claim.
	OpenLines Step = "open-lines"
)

// Change is everything that one decision changes. The store writes it in one transaction and knows no rule.
type Change struct {
	// Trigger and Actor are what caused it, At when; Memo is an operator's reason, for the history.
	Trigger Trigger
	Actor   Actor
	At      time.Time
	Memo    string
	// Next is the claim afterwards. UpdatedAt is the store's to set.
	Next Claim
	// Path are the states that were entered, the last one is Next.Status; empty when the state stays.
	Path []Status
	// Refunds are to be queued, Entries to be added to the ledger.
	Refunds []Refund
	Entries []Entry
	// Claimed are the lines of a new claim with what was paid for the whole of each; GivenBack is what a refund that is fixed with
	// this change gives back of them.
	Claimed, GivenBack []LineAmount
	// Steps are to follow after the commit.
	Steps []Step
}

// Periods are how long things may take.
type Periods struct {
	// Request: a return or an exchange may be requested so long after delivery.
	Request time.Duration
	// Inspection: a return that is collected passes by itself after it.
	Inspection time.Duration
	// Payment: a shortfall has to be paid within it.
	Payment time.Duration
}

// DefaultPeriods are used unless the settings say otherwise.
func DefaultPeriods() Periods {
	return Periods{Request: 7 * 24 * time.Hour, Inspection: 72 * time.Hour, Payment: 72 * time.Hour}
}

// begin is a change that so far changes nothing.
func (c *Claim) begin(trigger Trigger, actor Actor, now time.Time) Change {
	next := *c
	next.Items = slices.Clone(c.Items)
	next.Performed = slices.Clone(c.Performed)
	return Change{Trigger: trigger, Actor: actor, At: now, Next: next}
}

// enter walks along an arrow of the table and does what holds for the state that is reached, whatever led there.
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
		ch.Steps = append(ch.Steps, TouchOrder)
	case RefundProcessing, Reshipping:
		ch.fixRefund(undone)
	case Completed:
		next.end(ch.At)
		ch.Steps = append(ch.Steps, TouchOrder)
	case Rejected, Withdrawn, Expired:
		next.end(ch.At)
		ch.returnShortfall()
		ch.Steps = append(ch.Steps, TouchOrder)
	case ConvertedToReturn:
		next.end(ch.At) // the return moves the order's updated_at
		ch.returnShortfall()
	case PaymentPending, Requested, Approved, Collecting, Inspecting:
		ch.Steps = append(ch.Steps, TouchOrder)
	}
}

// end notes when a claim reached a terminal state.
func (c *Claim) end(at time.Time) { c.CompletedAt = &at }

// fixRefund fixes what the claim refunds, once and for all, and queues it.
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
	ch.Steps = append(ch.Steps, TouchOrder)
}

// returnShortfall queues the way back of what the customer prepaid for a claim that ends without effect.
func (ch *Change) returnShortfall() {
	next := &ch.Next
	if next.Money.ShortfallPaid == 0 {
		return
	}
	ch.Refunds = append(ch.Refunds, newRefund(next, ShortfallReturn, next.Money.ShortfallPaid, 0, ch.At))
	ch.Steps = append(ch.Steps, PayRefunds)
}
