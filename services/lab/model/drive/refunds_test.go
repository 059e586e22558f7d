package drive

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/lab/model"
)

// refundOf returns the id of the refund of a claim, or a random id when none was requested.
func (r *run) refundOf(claim int) string {
	for _, asked := range r.system.provider.of(r.names.claim(claim)) {
		if asked.Kind == mainRefund {
			return asked.RefundID
		}
	}
	return uuid.NewString()
}

func (r *run) refundPaid(ctx context.Context, op model.Op, _ int) (members, error) {
	return r.recordRefund(ctx, r.refundOf(op.Claim), claimsv1.RefundOutcome_REFUND_OUTCOME_SUCCEEDED)
}

// lastTry sets an unpaid refund to one failure below the maximum, and to having been requested just now.
const lastTry = `update claims.refunds set status = 'sent', failures = 9, next_at = now() + interval '1 minute'
	where seller_id = $1 and refund_id = $2 and status in ('sent', 'retrying')`

func (r *run) refundFailed(ctx context.Context, op model.Op, _ int) (members, error) {
	id := r.refundOf(op.Claim)
	if op.Last {
		if _, err := r.system.database.Exec(ctx, lastTry, r.seller, id); err != nil {
			return nil, err
		}
	}
	return r.recordRefund(ctx, id, claimsv1.RefundOutcome_REFUND_OUTCOME_FAILED)
}

func (r *run) recordRefund(ctx context.Context, id string, outcome claimsv1.RefundOutcome) (members, error) {
	request := &claimsv1.RecordRefundRequest{RefundId: id, Outcome: outcome, ProviderReference: "later"}
	answer, err := r.system.claims.RecordRefund(ctx, request)
	return made(answer, err, func(a *claimsv1.RecordRefundResponse) members { return members{"claim_status": a.GetClaimStatus()} })
}

// retryRefund requests a refund that a person has taken over once more, which the provider may refuse again. A refund that
// no person has taken over is requested automatically at an unknown time, so for it the provider's answer is not changed.
func (r *run) retryRefund(ctx context.Context, op model.Op, _ int) (members, error) {
	if c := r.model.Claims[op.Claim]; c != nil && c.Manual {
		r.system.provider.says(r.names.claim(op.Claim), wordOn(op))
	}
	request := &claimsv1.RetryRefundRequest{ClaimNo: r.names.claim(op.Claim), Operator: operator}
	answer, err := r.system.claims.RetryRefund(ctx, request)
	return made(answer, err, func(a *claimsv1.RetryRefundResponse) members { return members{"claim_status": a.GetClaimStatus()} })
}

func (r *run) cancelReshipment(ctx context.Context, op model.Op, _ int) (members, error) {
	answer, err := r.system.claims.CancelReshipment(ctx, &claimsv1.CancelReshipmentRequest{
		ClaimNo: r.names.claim(op.Claim), Operator: operator, Reason: "발송되지 않음",
	})
	return made(answer, err, func(a *claimsv1.CancelReshipmentResponse) members { return members{"status": a.GetStatus()} })
}

// The statements that read the deadline of a claim, set it, also back to its earlier value for a claim that was frozen, and
// tell whether it still has a deadline.
const (
	whatIsDue = `select coalesce(payment_due_at, inspection_due_at) from claims.claims where seller_id = $1 and claim_no = $2`
	makeDue   = `update claims.claims set payment_due_at = case when payment_due_at is not null then $3::timestamptz end,
		inspection_due_at = case when inspection_due_at is not null then $3::timestamptz end
		where seller_id = $1 and claim_no = $2`
	isNotDue = `select frozen_at is not null or coalesce(payment_due_at, inspection_due_at) is null
		from claims.claims where seller_id = $1 and claim_no = $2`
)

var errNotDue = errors.New("nothing comes of a deadline that has passed")

// passDeadline lets the deadline of a claim pass, if the claim has one and is not frozen.
func (r *run) passDeadline(ctx context.Context, op model.Op, _ int) (members, error) {
	if c := r.model.Claims[op.Claim]; c == nil || c.Frozen || !c.IsDue() {
		return members{}, nil
	}
	no, database := r.names.claim(op.Claim), r.system.database
	var due time.Time
	if err := database.QueryRow(ctx, whatIsDue, r.seller, no).Scan(&due); err != nil {
		return nil, fmt.Errorf("%s has no deadline: %w", no, err)
	}
	if _, err := database.Exec(ctx, makeDue, r.seller, no, time.Now().Add(-time.Second)); err != nil {
		return nil, err
	}
	err := awhile(ctx, settleTimeout, errNotDue, func() (isOver bool, err error) {
		err = database.QueryRow(ctx, isNotDue, r.seller, no).Scan(&isOver)
		return isOver, err
	})
	if err == nil {
		_, err = database.Exec(ctx, makeDue, r.seller, no, due)
	}
	return members{}, err
}
