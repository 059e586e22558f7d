package intake

import (
	"context"
	"slices"

	"sellerapi.dev/pkg/invalid"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/claims/internal/claim"
)

var outcomes = map[claimsv1.RefundOutcome]claim.RefundTrigger{
	claimsv1.RefundOutcome_REFUND_OUTCOME_SUCCEEDED:     claim.Succeed,
	claimsv1.RefundOutcome_REFUND_OUTCOME_FAILED:        claim.Failure,
	claimsv1.RefundOutcome_REFUND_OUTCOME_NEEDS_ACCOUNT: claim.NeedAccount,
}

// RecordRefund records the provider's result of a refund. CLAIM_NOT_FOUND: there is no such refund. The claim is stamped with the
// time at which the result arrived; the provider's own time is not stored.
func (h *Handler) RecordRefund(ctx context.Context,
	request *claimsv1.RecordRefundRequest,
) (*claimsv1.RecordRefundResponse, error) {
	var p problems
	id := p.UUID("refund_id", request.GetRefundId())
	trigger, known := outcomes[request.GetOutcome()]
	if !known {
		p.NotAllowed("outcome", outcomeNames()...)
	}
	reference := p.Read("provider_reference", request.GetProviderReference(), invalid.ID.Optional())
	p.moment("happened_at", request.GetHappenedAt())
	c, err := answer(&p, func() (claim.Claim, error) { return h.saga.RecordRefund(ctx, id, trigger, reference) })
	return &claimsv1.RecordRefundResponse{ClaimStatus: string(c.Status)}, err
}

// RetryRefund requests again the refunds that are in manual handling.
func (h *Handler) RetryRefund(ctx context.Context, request *claimsv1.RetryRefundRequest) (*claimsv1.RetryRefundResponse, error) {
	var p problems
	no := p.Read("claim_no", request.GetClaimNo(), invalid.ClaimNo)
	operator := p.Read("operator", request.GetOperator(), invalid.Operator)
	c, err := answer(&p, func() (claim.Claim, error) { return h.saga.RetryRefund(ctx, no, operator) })
	return &claimsv1.RetryRefundResponse{ClaimStatus: string(c.Status)}, err
}

func outcomeNames() []string {
	names := make([]string, 0, len(outcomes))
	for outcome := range outcomes {
		names = append(names, outcome.String())
	}
	slices.Sort(names)
	return names
}
