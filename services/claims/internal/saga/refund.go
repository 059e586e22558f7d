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

// payRefunds requests the due refunds of a claim from the provider. Each refund has its own retry schedule for a provider that
// does not answer, so the step is done either way.
func (s *Saga) payRefunds(ctx context.Context, c *claim.Claim) error {
	refunds, err := s.claims.Refunds(ctx, c.SellerID, c.No)
	if err != nil {
		return err
	}
	for _, r := range refunds {
		if err := s.RequestRefund(ctx, store.DueRefund{SellerID: c.SellerID, ClaimNo: c.No, ID: r.ID}); err != nil {
			return err
		}
	}
	return nil
}

// RequestRefund requests a refund from the provider if the refund is due. The request is recorded first, so that no other process
// sends it at the same time and so that it is retried if there is no answer.
func (s *Saga) RequestRefund(ctx context.Context, due store.DueRefund) error {
	sent, err := s.moveRefund(ctx, due, claim.Refund.Sending)
	if err != nil || !sent.Moved {
		return err
	}
	result, err := s.provider.Refund(ctx, requestOf(&sent))
	s.tel.Counter(telemetry.RefundAsks).WithLabelValues(requestOutcome(ctx, result, err)).Inc()
	if err != nil {
		s.tel.Logger.WarnContext(ctx, "no usable response from the refund provider", "refund_id", due.ID, "claim_no",
			due.ClaimNo, "error", err)
		return nil
	}
	// The answer is stored even if the caller has gone.
	ctx = context.WithoutCancel(ctx)
	if result.Trigger == refund.Accepted {
		return s.accepted(ctx, due, result)
	}
	return s.recordResult(ctx, due, &sent.Claim, sent.Refund.Kind, result.Trigger, result.Reference)
}

const (
	requestUnanswered = "silent"
	requestGivenUp    = "given_up"
)

// requestOutcomes are the metric's labels for the provider's answers.
var requestOutcomes = map[claim.RefundTrigger]string{
	claim.Succeed: "succeeded", refund.Accepted: "accepted", claim.Failure: "failed", claim.NeedAccount: "needs_account",
}

// requestOutcome returns the metric's label for the outcome of a request. A canceled request says nothing about the provider.
func requestOutcome(ctx context.Context, result refund.Result, err error) string {
	switch {
	case err == nil:
		return requestOutcomes[result.Trigger]
	case errors.Is(ctx.Err(), context.Canceled):
		return requestGivenUp
	default:
		return requestUnanswered
	}
}

// countFromZero initializes the counter of every outcome with 0, so that the first one shows up as an increase.
func countFromZero(tel *telemetry.Telemetry) {
	asks := tel.Counter(telemetry.RefundAsks)
	for _, outcome := range requestOutcomes {
		asks.WithLabelValues(outcome)
	}
	asks.WithLabelValues(requestUnanswered)
	asks.WithLabelValues(requestGivenUp)
}

func requestOf(sent *store.RefundResult) refund.Request {
	return refund.Request{
		ID: sent.Refund.ID, ClaimNo: sent.Claim.No, OrderNo: sent.Claim.OrderNo, SellerID: sent.Claim.SellerID,
		Kind: sent.Refund.Kind, Amount: sent.Refund.Amount, Points: sent.Refund.Points,
	}
}

// accepted records that the provider accepted the refund, and when to ask for its result.
func (s *Saga) accepted(ctx context.Context, due store.DueRefund, result refund.Result) error {
	_, err := s.moveRefund(ctx, due, func(r claim.Refund, now time.Time) (claim.Refund,
		bool,
	) {
		return r.Accepted(result.Reference, now)
	})
	return err
}

// moveRefund applies a rule to a refund that neither moves money nor decides the claim.
func (s *Saga) moveRefund(
	ctx context.Context, due store.DueRefund, rule func(claim.Refund, time.Time) (claim.Refund, bool),
) (store.RefundResult, error) {
	return s.claims.ChangeRefund(ctx, due.SellerID, due.ClaimNo, due.ID,
		func(r claim.Refund, now time.Time) (claim.Refund, []claim.LedgerEntry, bool, store.Deciding) {
			next, moved := rule(r, now)
			return next, nil, moved, nil
		})
}

// recordResult records a provider's answer. A success completes the claim in the same transaction if the lines could be settled
// before. c and kind are the claim and the purpose of the refund.
func (s *Saga) recordResult(
	ctx context.Context, due store.DueRefund, c *claim.Claim, kind claim.RefundKind, trigger claim.RefundTrigger, reference string,
) error {
	var complete store.Deciding
	if trigger == claim.Succeed && kind == claim.MainRefund && c.Status == claim.RefundProcessing {
		complete = s.completing(ctx, c)
	}
	_, err := s.claims.ChangeRefund(ctx, due.SellerID, due.ClaimNo, due.ID,
		func(r claim.Refund, now time.Time) (claim.Refund, []claim.LedgerEntry, bool, store.Deciding) {
			next, entries, moved := r.RecordResult(trigger, reference, s.jitter(), now)
			return next, entries, moved, complete
		})
	return err
}

// completing settles the lines of a claim that waits for its refund and returns the decision that completes it; nil when the
// lines could not be settled now.
func (s *Saga) completing(ctx context.Context, c *claim.Claim) store.Deciding {
	settled, err := s.settleNow(ctx, c)
	s.report(ctx, c.No, claim.FinishClaim, doneInline, err)
	if err != nil {
		return nil
	}
	return finishing(settled)
}

// settleNow settles the lines of a claim within the inline time, before the provider's answer is stored.
func (s *Saga) settleNow(ctx context.Context, c *claim.Claim) ([]claim.Settled, error) {
	ctx, cancel := s.withinBudget(ctx)
	defer cancel()
	return s.lines.Settle(ctx, c.No)
}

// RecordRefund records the provider's result of a refund and returns the claim. A result that is already recorded changes
// nothing. CLAIM_NOT_FOUND: there is no such refund.
func (s *Saga) RecordRefund(ctx context.Context, id uuid.UUID, trigger claim.RefundTrigger,
	reference string,
) (claim.Claim, error) {
	ctx = s.begin(ctx)
	seller, no, err := s.claims.RefundOwner(ctx, id)
	if err != nil {
		return claim.Claim{}, err
	}
	c, err := s.claims.Get(ctx, seller, no)
	if err != nil {
		return claim.Claim{}, err
	}
	refunds, err := s.claims.Refunds(ctx, seller, no)
	if err != nil {
		return claim.Claim{}, err
	}
	for _, r := range refunds {
		if r.ID != id {
			continue
		}
		due := store.DueRefund{SellerID: seller, ClaimNo: no, ID: id}
		if err := s.recordResult(ctx, due, &c, r.Kind, trigger, reference); err != nil {
			return claim.Claim{}, err
		}
	}
	return s.followed(ctx, seller, no)
}

// RetryRefund requests again those refunds of a claim that need manual handling, and returns the claim. The other refunds keep
// their own schedule; so do those that could not be requested within the inline time. CLAIM_NOT_FOUND.
func (s *Saga) RetryRefund(ctx context.Context, no, operator string) (claim.Claim, error) {
	ctx = s.begin(ctx)
	seller, err := s.claims.Seller(ctx, no)
	if err != nil {
		return claim.Claim{}, err
	}
	if _, err := s.claims.Get(ctx, seller, no); err != nil { // a pending request has a number but no claim
		return claim.Claim{}, err
	}
	refunds, err := s.claims.Refunds(ctx, seller, no)
	if err != nil {
		return claim.Claim{}, err
	}
	requesting, cancel := s.withinBudget(ctx)
	defer cancel()
	for _, r := range refunds {
		due := store.DueRefund{SellerID: seller, ClaimNo: no, ID: r.ID}
		queued, err := s.moveRefund(ctx, due, claim.Refund.Requeue)
		if err != nil {
			return claim.Claim{}, err
		}
		if !queued.Moved {
			continue
		}
		s.tel.Logger.InfoContext(ctx, "refund retried", "refund_id", r.ID, "claim_no", no, "operator", operator)
		if err := s.RequestRefund(requesting, due); err != nil && requesting.Err() == nil {
			return claim.Claim{}, err
		}
	}
	return s.followed(ctx, seller, no)
}

func (s *Saga) followed(ctx context.Context, seller uuid.UUID, no string) (claim.Claim, error) {
	// A sweep tries the remaining steps; no action waits for them here.
	c, _, err := s.follow(ctx, seller, no)
	return c, err
}
