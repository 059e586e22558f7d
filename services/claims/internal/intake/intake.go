// Package intake implements the RPC service claims.v1.Intake, through which claims are opened and everyone but the seller acts on
// them. It converts messages to validated values, calls the saga, and returns the state of the claim. Every procedure is
// idempotent: a repeated call changes nothing and returns the current state.
package intake

import (
	"cmp"
	"context"
	"math"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/saga"
)

// Policies stores what sellers charge.
type Policies interface {
	// SetPolicy sets a seller's charges in a currency for future claims.
	SetPolicy(ctx context.Context, seller uuid.UUID, currency string, policy claim.Policy) error
}

// Handler implements claimsv1connect.IntakeHandler.
type Handler struct {
	saga     *saga.Saga
	policies Policies
}

var _ claimsv1connect.IntakeHandler = (*Handler)(nil)

// New returns the handler.
func New(saga *saga.Saga, policies Policies) *Handler {
	return &Handler{saga: saga, policies: policies}
}

// RequestClaim opens a claim. It returns the codes of saga.Request.
func (h *Handler) RequestClaim(ctx context.Context,
	request *claimsv1.RequestClaimRequest,
) (*claimsv1.RequestClaimResponse, error) {
	wanted, err := readWanted(request)
	if err != nil {
		return nil, err
	}
	c, err := h.saga.Request(ctx, wanted)
	return &claimsv1.RequestClaimResponse{Status: string(c.Status), ShortfallAmount: c.Money.Shortfall}, err
}

// RecordShortfallPayment records the customer's payment. VALIDATION_ERROR: amount is not the shortfall. IDEMPOTENCY_UNRESOLVED:
// another payment is recorded. A payment that arrives after the end of the claim is refunded. Unavailable: it is recorded, but
// the claim is about to end and the orders service could not be reached; the repeated call returns the end.
func (h *Handler) RecordShortfallPayment(
	ctx context.Context, request *claimsv1.RecordShortfallPaymentRequest,
) (*claimsv1.RecordShortfallPaymentResponse, error) {
	var p problems
	no := p.Read("claim_no", request.GetClaimNo(), invalid.ClaimNo)
	payment := p.Read("payment_id", request.GetPaymentId(), invalid.ID)
	p.Number("amount", request.GetAmount(), 1, math.MaxInt64)
	c, err := answer(&p, func() (claim.Claim, error) { return h.saga.PayShortfall(ctx, no, payment, request.GetAmount()) })
	return &claimsv1.RecordShortfallPaymentResponse{Status: string(c.Status)}, err
}

// WithdrawClaim ends a claim at the customer's request. IDEMPOTENCY_UNRESOLVED: it is too late.
func (h *Handler) WithdrawClaim(ctx context.Context,
	request *claimsv1.WithdrawClaimRequest,
) (*claimsv1.WithdrawClaimResponse, error) {
	var p problems
	no := p.Read("claim_no", request.GetClaimNo(), invalid.ClaimNo)
	c, err := answer(&p, func() (claim.Claim, error) { return h.saga.Withdraw(ctx, no) })
	return &claimsv1.WithdrawClaimResponse{Status: string(c.Status)}, err
}

// ConvertToReturn replaces an exchange by a return. It returns the codes of saga.Convert.
func (h *Handler) ConvertToReturn(
	ctx context.Context, request *claimsv1.ConvertToReturnRequest,
) (*claimsv1.ConvertToReturnResponse, error) {
	var p problems
	no := p.Read("claim_no", request.GetClaimNo(), invalid.ClaimNo)
	returnNo := p.Read("return_claim_no", request.GetReturnClaimNo(), invalid.ClaimNo)
	operator := p.Read("operator", request.GetOperator(), invalid.Operator)
	if no != "" && no == returnNo {
		p.Add("return_claim_no", apierr.FieldRepeated, "is the exchange's own number")
	}
	c, err := answer(&p, func() (claim.Claim, error) { return h.saga.Convert(ctx, no, returnNo, operator) })
	return &claimsv1.ConvertToReturnResponse{ReturnStatus: string(c.Status)}, err
}

// HoldInspection moves a collected claim to manual review. IDEMPOTENCY_UNRESOLVED: there is nothing to inspect.
func (h *Handler) HoldInspection(ctx context.Context,
	request *claimsv1.HoldInspectionRequest,
) (*claimsv1.HoldInspectionResponse, error) {
	var p problems
	no := p.Read("claim_no", request.GetClaimNo(), invalid.ClaimNo)
	operator := p.Read("operator", request.GetOperator(), invalid.Operator)
	reason := p.Read("reason", request.GetReason(), invalid.Memo)
	c, err := answer(&p, func() (claim.Claim, error) { return h.saga.HoldInspection(ctx, no, operator, reason) })
	return &claimsv1.HoldInspectionResponse{Status: string(c.Status)}, err
}

// ActAsOperator performs an action on the seller's behalf. It returns the codes of the public action.
func (h *Handler) ActAsOperator(ctx context.Context,
	request *claimsv1.ActAsOperatorRequest,
) (*claimsv1.ActAsOperatorResponse, error) {
	no, command, err := readCommand(request)
	if err != nil {
		return nil, err
	}
	c, err := h.saga.Act(ctx, no, command)
	return &claimsv1.ActAsOperatorResponse{Status: string(c.Status)}, err
}

// CancelReshipment cancels a registered reshipment that has not shipped. It returns the codes of saga.CancelReshipment.
func (h *Handler) CancelReshipment(
	ctx context.Context, request *claimsv1.CancelReshipmentRequest,
) (*claimsv1.CancelReshipmentResponse, error) {
	var p problems
	no := p.Read("claim_no", request.GetClaimNo(), invalid.ClaimNo)
	operator := p.Read("operator", request.GetOperator(), invalid.Operator)
	reason := p.Read("reason", request.GetReason(), invalid.Memo)
	c, err := answer(&p, func() (claim.Claim, error) { return h.saga.CancelReshipment(ctx, no, operator, reason) })
	return &claimsv1.CancelReshipmentResponse{Status: string(c.Status)}, err
}

// FreezeClaim blocks every action on a claim. It returns the codes of saga.Freeze.
func (h *Handler) FreezeClaim(ctx context.Context, request *claimsv1.FreezeClaimRequest) (*claimsv1.FreezeClaimResponse, error) {
	var p problems
	no := p.Read("claim_no", request.GetClaimNo(), invalid.ClaimNo)
	operator := p.Read("operator", request.GetOperator(), invalid.Operator)
	reason := p.Read("reason", request.GetReason(), invalid.Memo)
	code := p.freezeCode(request.GetCode())
	_, err := answer(&p, func() (claim.Claim, error) { return h.saga.Freeze(ctx, no, operator, code, reason) })
	return &claimsv1.FreezeClaimResponse{}, err
}

// UnfreezeClaim reverts FreezeClaim. It returns the codes of saga.Unfreeze.
func (h *Handler) UnfreezeClaim(ctx context.Context,
	request *claimsv1.UnfreezeClaimRequest,
) (*claimsv1.UnfreezeClaimResponse, error) {
	var p problems
	no := p.Read("claim_no", request.GetClaimNo(), invalid.ClaimNo)
	operator := p.Read("operator", request.GetOperator(), invalid.Operator)
	_, err := answer(&p, func() (claim.Claim, error) { return h.saga.Unfreeze(ctx, no, operator) })
	return &claimsv1.UnfreezeClaimResponse{}, err
}

// SetSellerPolicy sets a seller's charges in a currency for future claims.
func (h *Handler) SetSellerPolicy(
	ctx context.Context, request *claimsv1.SetSellerPolicyRequest,
) (*claimsv1.SetSellerPolicyResponse, error) {
	var p problems
	seller := p.UUID("seller_id", request.GetSellerId())
	fee := request.GetShippingFeeOneWay()
	p.Number("shipping_fee_one_way", fee, 0, maxFee)
	currency := p.Read("currency", cmp.Or(request.GetCurrency(), claim.Won), invalid.Currency)
	if err := p.Err(); err != nil {
		return nil, err
	}
	return &claimsv1.SetSellerPolicyResponse{}, h.policies.SetPolicy(ctx, seller, currency, claim.Policy{FeeOneWay: fee})
}

// answer calls the saga unless the message is malformed.
func answer(p *problems, ask func() (claim.Claim, error)) (claim.Claim, error) {
	if err := p.Err(); err != nil {
		return claim.Claim{}, err
	}
	return ask()
}
