package claim

import (
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/machine"
)

// RefundKind is the purpose of a refund. A claim has at most one of each kind.
type RefundKind string

// The kinds of refunds.
const (
	// MainRefund pays out the claim's refund_amount.
	MainRefund RefundKind = "refund"
	// ShortfallReturn refunds the prepayment of a claim that ended without effect.
	ShortfallReturn RefundKind = "shortfall_return"
)

// RefundStatus is the state of a refund.
type RefundStatus string

// The states of refunds.
const (
	RefundQueued    RefundStatus = "queued"
	RefundSent      RefundStatus = "sent"
	RefundSucceeded RefundStatus = "succeeded"
	AwaitingAccount RefundStatus = "awaiting_account"
	RefundRetrying  RefundStatus = "retrying"
	RefundManual    RefundStatus = "manual"
)

// RefundTrigger changes the state of a refund.
type RefundTrigger string

// The triggers of refunds.
const (
	Send        RefundTrigger = "send"
	Succeed     RefundTrigger = "succeed"
	Failure     RefundTrigger = "fail"
	NeedAccount RefundTrigger = "need-account"
)

// The conditions that distinguish the two transitions of a failure.
const (
	triesLeft   = "attempts left"
	noTriesLeft = "no attempts left"
)

// Refunds is the table of a refund's states. The provider's answer is accepted in every state but the last, because it may
// arrive late or before the request is recorded as sent.
var Refunds = machine.New("Refund",
	[]machine.State[RefundStatus]{
		{Name: RefundQueued, Meaning: "to be requested"},
		{Name: RefundSent, Meaning: "requested, no response yet"},
		{Name: AwaitingAccount, Meaning: "the customer has to name an account"},
		{Name: RefundRetrying, Meaning: "failed, to be retried later"},
		{Name: RefundManual, Meaning: "failed too often, to be handled by an operator"},
		{Name: RefundSucceeded, Meaning: "the customer has the money", Terminal: true},
	},
	[]machine.Rule[RefundStatus, RefundTrigger]{
		{From: RefundQueued, Trigger: Send, Actor: "service", To: RefundSent},
		{From: RefundSent, Trigger: Send, Actor: "service", Condition: "no response in time", To: RefundSent},
		{From: AwaitingAccount, Trigger: Send, Actor: "service", Condition: "no response in time", To: RefundSent},
		{From: RefundRetrying, Trigger: Send, Actor: "service", Condition: "the pause is over", To: RefundSent},
		{From: RefundManual, Trigger: Send, Actor: "operator", To: RefundSent},
		{From: RefundQueued, Trigger: Succeed, Actor: "provider", To: RefundSucceeded},
		{From: RefundSent, Trigger: Succeed, Actor: "provider", To: RefundSucceeded},
		{From: AwaitingAccount, Trigger: Succeed, Actor: "provider", To: RefundSucceeded},
		{From: RefundRetrying, Trigger: Succeed, Actor: "provider", To: RefundSucceeded},
		{From: RefundManual, Trigger: Succeed, Actor: "provider", To: RefundSucceeded},
		{From: RefundQueued, Trigger: NeedAccount, Actor: "provider", To: AwaitingAccount},
		{From: RefundSent, Trigger: NeedAccount, Actor: "provider", To: AwaitingAccount},
		{From: RefundRetrying, Trigger: NeedAccount, Actor: "provider", To: AwaitingAccount},
		{From: RefundManual, Trigger: NeedAccount, Actor: "provider", To: AwaitingAccount},
		{From: RefundSent, Trigger: Failure, Actor: "provider", Condition: triesLeft, To: RefundRetrying},
		{From: RefundSent, Trigger: Failure, Actor: "provider", Condition: noTriesLeft, To: RefundManual},
		{From: AwaitingAccount, Trigger: Failure, Actor: "provider", Condition: triesLeft, To: RefundRetrying},
		{From: AwaitingAccount, Trigger: Failure, Actor: "provider", Condition: noTriesLeft, To: RefundManual},
	})

// Refund is one payment back to the customer.
type Refund struct {
	// ID is the provider's idempotency key. It is derived from claim and kind, so that a bug cannot create a second one.
	ID      uuid.UUID
	ClaimNo string
	Kind    RefundKind
	// Amount is the part refunded in money, Points the part in points; not both are 0.
	Amount, Points int64
	Status         RefundStatus
	// Failures is the number of failures that the provider reported.
	Failures int
	// NextAt is the time of the next request to the provider; nil if none is due.
	NextAt *time.Time
	// UnansweredSince is the time of the first request that the provider has not answered; nil if no answer is pending.
	UnansweredSince *time.Time
	// ProviderReference is the provider's own id of the payment.
	ProviderReference string
	CreatedAt         time.Time
	SucceededAt       *time.Time
}

// LedgerEntryKind is the direction and the reason of a movement of money.
type LedgerEntryKind string

// The movements: the customer paid a shortfall; the money and the points of a refund were paid to the customer.
const (
	ShortfallPayment LedgerEntryKind = "shortfall_payment"
	RefundPayout     LedgerEntryKind = "refund_payout"
	PointsPayout     LedgerEntryKind = "points_payout"
)

// LedgerEntry is one movement of money or points. Entries are append-only.
type LedgerEntry struct {
	Kind   LedgerEntryKind
	Amount int64
	// Reference is the id of the payment or the refund.
	Reference string
}

// refundIDs is the UUID namespace of refund ids.
var refundIDs = uuid.MustParse("6d3f1c52-5a0e-4c55-9d6b-0f3f5c1b9a77")

// newRefund returns a queued refund. points is the part of all that is refunded in points.
func newRefund(c *Claim, kind RefundKind, all, points int64, now time.Time) Refund {
	return Refund{
		ID:        uuid.NewSHA1(refundIDs, []byte(c.No+"/"+string(kind))),
		ClaimNo:   c.No,
		Kind:      kind,
		Amount:    all - points,
		Points:    points,
		Status:    RefundQueued,
		NextAt:    &now,
		CreatedAt: now,
	}
}

const (
	refundTries      = 10
	refundPauseFirst = 10 * time.Second
	refundPauseMax   = time.Hour
	// refundSilence is the retry interval when it is unknown whether the provider received the request; longer than one call.
	refundSilence = 10 * time.Second
	// refundTimeout is how long to wait for the result from a provider that has accepted the refund.
	refundTimeout = time.Minute
	// accountSilence is the same while the customer has to provide an account, which can take days.
	accountSilence = time.Hour
)

// Sending returns the refund to be stored before the request to the provider; false if no request is due.
func (r Refund) Sending(now time.Time) (Refund, bool) {
	if !Refunds.Can(r.Status, Send) || r.NextAt == nil || now.Before(*r.NextAt) {
		return r, false
	}
	again := now.Add(refundSilence)
	if r.Status != RefundSent || r.UnansweredSince == nil {
		r.UnansweredSince = &now
	}
	r.Status, r.NextAt = RefundSent, &again
	return r, true
}

// Accepted records that the provider accepted the refund and will report the result later; false if it already has.
func (r Refund) Accepted(reference string, now time.Time) (Refund, bool) {
	if r.Status != RefundSent {
		return r, false
	}
	again := now.Add(refundTimeout)
	r.NextAt, r.UnansweredSince = &again, nil
	if reference != "" {
		r.ProviderReference = reference
	}
	return r, true
}

// Requeue queues a refund in manual handling for another request; false if it is not in such a state.
func (r Refund) Requeue(now time.Time) (Refund, bool) {
	if r.Status != RefundManual {
		return r, false
	}
	r.NextAt, r.Failures = &now, 0
	return r, true
}

// RecordResult records the provider's answer. The ledger entries are to be saved with it. False if it changes nothing: an
// answer after a success, or one that does not fit the state. jitter in [0, 1) spreads the retries.
func (r Refund) RecordResult(
	trigger RefundTrigger, reference string, jitter float64, now time.Time,
) (Refund, []LedgerEntry, bool) {
	rule, ok := r.arrow(trigger)
	if !ok {
		return r, nil, false
	}
	r.Status, r.NextAt, r.UnansweredSince = rule.To, nil, nil
	if reference != "" {
		r.ProviderReference = reference
	}
	switch rule.To {
	case RefundSucceeded:
		r.SucceededAt = &now
		return r, r.payouts(), true
	case RefundRetrying:
		r.Failures++
		next := now.Add(pause(r.Failures, jitter))
		r.NextAt = &next
	case AwaitingAccount:
		next := now.Add(accountSilence)
		r.NextAt = &next
	case RefundManual:
		r.Failures++
	case RefundQueued, RefundSent:
	}
	return r, nil, true
}

func (r Refund) payouts() []LedgerEntry {
	entries := make([]LedgerEntry, 0, 2)
	if r.Amount > 0 {
		entries = append(entries, LedgerEntry{Kind: RefundPayout, Amount: r.Amount, Reference: r.ID.String()})
	}
	if r.Points > 0 {
		entries = append(entries, LedgerEntry{Kind: PointsPayout, Amount: r.Points, Reference: r.ID.String()})
	}
	return entries
}

func (r Refund) arrow(trigger RefundTrigger) (machine.Rule[RefundStatus, RefundTrigger], bool) {
	for _, rule := range Refunds.Find(r.Status, trigger) {
		switch rule.Condition {
		case triesLeft:
			if r.Failures+1 < refundTries {
				return rule, true
			}
		case noTriesLeft:
			if r.Failures+1 >= refundTries {
				return rule, true
			}
		default:
			return rule, true
		}
	}
	return machine.Rule[RefundStatus, RefundTrigger]{}, false
}

// pause returns the time until the next retry. It doubles with every failure, up to an hour; its second half is random.
func pause(failures int, jitter float64) time.Duration {
	longest := refundPauseMax
	if doublings := failures - 1; doublings >= 0 && doublings < 9 {
		longest = min(refundPauseMax, refundPauseFirst<<doublings)
	}
	return longest/2 + time.Duration(jitter*float64(longest/2))
}
