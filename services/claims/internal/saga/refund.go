package saga

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/refund"
	"sellerapi.dev/services/claims/internal/store"
)

// payRefunds asks for the refunds of a claim that are due. A provider that does not answer is asked again by the refund's
// own rhythm, so the step is done either way.
func (s *Saga) payRefunds(ctx context.Context, c *claim.Claim) error {
	refunds, err := s.claims.Refunds(ctx, c.SellerID, c.No)
	if err != nil {
		return err
	}
	for _, r := range refunds {
		if err := s.AskRefund(ctx, store.DueRefund{SellerID: c.SellerID, ClaimNo: c.No, ID: r.ID}); err != nil {
			return err
		}
	}
	return nil
}

// AskRefund asks the provider for a refund if that is due. That the provider is asked is noted
// first, so that nobody else asks at the same time and so that it is asked again when no word comes.
func (s *Saga) AskRefund(ctx context.Context, due store.DueRefund) error {
	sent, err := s.claims.ChangeRefund(ctx, due.SellerID, due.ClaimNo, due.ID,
		func(r claim.Refund, now time.Time) (claim.Refund, []claim.Entry, bool, store.Deciding) {
			next, ok := r.Sending(now)
			return next, nil, ok, nil
		})
	if err != nil || !sent.Moved {
		return err
	}
	word, err := s.provider.Ask(ctx, question(&sent))
	s.tel.Counter(telemetry.RefundAsks).WithLabelValues(askOutcome(ctx, word, err)).Inc()
	if err != nil {
		s.tel.Logger.WarnContext(ctx, "the refund provider gave no word", "refund_id", due.ID, "claim_no", due.ClaimNo, "error", err)
		return nil
	}
	// The word is kept even when the caller that waited for it is gone.
	ctx = context.WithoutCancel(ctx)
	if word.Trigger == refund.Accepted {
		return s.accepted(ctx, due, word)
	}
	return s.hear(ctx, due, word.Trigger, word.Reference)
}

// The outcomes of asks that brought no word.
const (
	askSilent  = "silent"
	askGivenUp = "given_up"
)

// askOutcomes are the metric's words for what the provider says.
var askOutcomes = map[claim.RefundTrigger]string{
	claim.Succeed: "succeeded", refund.Accepted: "accepted", claim.Failure: "failed", claim.NeedAccount: "needs_account",
}

// askOutcome is the metric's word for what became of an ask. One that was given up says nothing about the provider.
func askOutcome(ctx context.Context, word refund.Word, err error) string {
	switch {
	case err == nil:
		return askOutcomes[word.Trigger]
	case errors.Is(ctx.Err(), context.Canceled):
		return askGivenUp
	default:
		return askSilent
	}
}

// countFromZero makes every outcome visible before it happens, so that the first one is seen as an increase.
func countFromZero(tel *telemetry.Telemetry) {
	asks := tel.Counter(telemetry.RefundAsks)
	for _, outcome := range askOutcomes {
		asks.WithLabelValues(outcome)
	}
	asks.WithLabelValues(askSilent)
	asks.WithLabelValues(askGivenUp)
}

// question is what the provider is asked for a refund.
func question(sent *store.RefundOutcome) refund.Question {
	return refund.Question{
		ID: sent.Refund.ID, ClaimNo: sent.Claim.No, OrderNo: sent.Claim.OrderNo, SellerID: sent.Claim.SellerID,
		Kind: sent.Refund.Kind, Amount: sent.Refund.Amount, Points: sent.Refund.Points, QueuedAt: sent.Refund.CreatedAt,
	}
}

// accepted notes when the provider is to be asked for its word.
func (s *Saga) accepted(ctx context.Context, due store.DueRefund, word refund.Word) error {
	_, err := s.claims.ChangeRefund(ctx, due.SellerID, due.ClaimNo, due.ID,
		func(r claim.Refund, now time.Time) (claim.Refund, []claim.Entry, bool, store.Deciding) {
			next, ok := r.Accepted(word.Reference, now)
			return next, nil, ok, nil
		})
	return err
}

// hear notes a provider's word. A success completes the claim in the same transaction when the lines
// could be settled before.
func (s *Saga) hear(ctx context.Context, due store.DueRefund, trigger claim.RefundTrigger, reference string) error {
	var complete store.Deciding
	if trigger == claim.Succeed {
		var err error
		if complete, err = s.completing(ctx, due); err != nil {
			return err
		}
	}
	_, err := s.claims.ChangeRefund(ctx, due.SellerID, due.ClaimNo, due.ID,
		func(r claim.Refund, now time.Time) (claim.Refund, []claim.Entry, bool, store.Deciding) {
			next, entries, moved := r.Word(trigger, reference, s.jitter(), now)
			return next, entries, moved, complete
		})
	return err
}

// completing settles the lines of the claim that waits for the refund and returns how it is completed; nil when it does not
// wait for it, or when the lines could not be settled now.
func (s *Saga) completing(ctx context.Context, due store.DueRefund) (store.Deciding, error) {
	c, err := s.claims.Get(ctx, due.SellerID, due.ClaimNo)
	if err != nil {
		return nil, err
	}
	refunds, err := s.claims.Refunds(ctx, due.SellerID, due.ClaimNo)
	if err != nil {
		return nil, err
	}
	for _, r := range refunds {
		if r.ID != due.ID || r.Kind != claim.MainRefund || c.Status != claim.RefundProcessing {
			continue
		}
		settled, err := s.settleNow(ctx, &c)
		s.report(ctx, c.No, claim.FinishClaim, doneInline, err)
		if err == nil {
			return finishing(settled), nil
		}
	}
	return nil, nil //nolint:nilnil // nothing to complete and no error
}

// settleNow settles lines before the claim's word is written down, within the time of inline steps.
func (s *Saga) settleNow(ctx context.Context, c *claim.Claim) ([]claim.Settled, error) {
	ctx, cancel := s.withinBudget(ctx)
	defer cancel()
	return s.lines.Settle(ctx, c.No)
}

// RecordRefund notes what a provider says about a refund that it was asked for, and returns the claim. A word that says
// nothing new changes nothing. CLAIM_NOT_FOUND: there is no such refund.
func (s *Saga) RecordRefund(ctx context.Context, id uuid.UUID, trigger claim.RefundTrigger, reference string) (claim.Claim, error) {
	ctx = s.begin(ctx)
	seller, no, err := s.claims.RefundOwner(ctx, id)
	if err != nil {
		return claim.Claim{}, err
	}
	if err := s.hear(ctx, store.DueRefund{SellerID: seller, ClaimNo: no, ID: id}, trigger, reference); err != nil {
		return claim.Claim{}, err
	}
	return s.followed(ctx, seller, no)
}

// RetryRefund asks for the refunds of a claim that a person took over, and returns the claim. Refunds that nobody took over
// go their own way, and so does from now on what cannot be asked for in time. CLAIM_NOT_FOUND.
func (s *Saga) RetryRefund(ctx context.Context, no, operator string) (claim.Claim, error) {
	ctx = s.begin(ctx)
	seller, err := s.claims.Seller(ctx, no)
	if err != nil {
		return claim.Claim{}, err
	}
	if _, err := s.claims.Get(ctx, seller, no); err != nil { // a request that is noted has a number and no claim
		return claim.Claim{}, err
	}
	refunds, err := s.claims.Refunds(ctx, seller, no)
	if err != nil {
		return claim.Claim{}, err
	}
	asking, cancel := s.withinBudget(ctx)
	defer cancel()
	for _, r := range refunds {
		due := store.DueRefund{SellerID: seller, ClaimNo: no, ID: r.ID}
		queued, err := s.claims.ChangeRefund(ctx, seller, no, r.ID,
			func(r claim.Refund, now time.Time) (claim.Refund, []claim.Entry, bool, store.Deciding) {
				next, ok := r.Requeue(now)
				return next, nil, ok, nil
			})
		if err != nil {
			return claim.Claim{}, err
		}
		if !queued.Moved {
			continue
		}
		s.tel.Logger.InfoContext(ctx, "refund retried", "refund_id", r.ID, "claim_no", no, "operator", operator)
		if err := s.AskRefund(asking, due); err != nil && asking.Err() == nil {
			return claim.Claim{}, err
		}
	}
	return s.followed(ctx, seller, no)
}

// followed tries the steps of a claim and returns it as it stands then.
func (s *Saga) followed(ctx context.Context, seller uuid.UUID, no string) (claim.Claim, error) {
	// What is not done is for the sweep; nobody here waits for an action.
	_ = s.follow(ctx, seller, no)
	return s.claims.Get(ctx, seller, no)
}
