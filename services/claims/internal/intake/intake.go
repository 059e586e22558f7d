// Package intake is how claims come in and how everybody but the seller acts on them: the RPC service claims.v1.Intake. It
// turns messages into checked values, asks the saga, and answers with the state of the claim. Every procedure can be called
// again: a repetition changes nothing and answers with the state as it is then.
package intake

import (
	"context"
	"math"

	"connectrpc.com/connect"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/saga"
	"sellerapi.dev/services/claims/internal/store"
)

// Handler implements claimsv1connect.IntakeHandler.
type Handler struct {
	saga   *saga.Saga
	claims *store.Store
}

var _ claimsv1connect.IntakeHandler = (*Handler)(nil)

// New returns the service.
func New(saga *saga.Saga, claims *store.Store) *Handler { return &Handler{saga: saga, claims: claims} }

// RequestClaim opens a claim. Codes as those of saga.Request.
func (h *Handler) RequestClaim(ctx context.Context, request *connect.Request[claimsv1.RequestClaimRequest]) (*connect.Response[claimsv1.RequestClaimResponse], error) {
	wanted, err := readWanted(request.Msg)
	if err != nil {
		return nil, err
	}
	c, err := h.saga.Request(ctx, wanted)
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(&claimsv1.RequestClaimResponse{Status: string(c.Status), ShortfallAmount: c.Money.Shortfall}), nil
}

// RecordShortfallPayment notes that the customer paid. VALIDATION_ERROR: amount is not the shortfall. IDEMPOTENCY_UNRESOLVED:
// another payment is noted. Money that comes after the end of the claim goes back.
func (h *Handler) RecordShortfallPayment(ctx context.Context, request *connect.Request[claimsv1.RecordShortfallPaymentRequest]) (*connect.Response[claimsv1.RecordShortfallPaymentResponse], error) {
	var p problems
	no := p.Read("claim_no", request.Msg.GetClaimNo(), invalid.ClaimNo)
	payment := p.Read("payment_id", request.Msg.GetPaymentId(), invalid.ID)
	p.Number("amount", request.Msg.GetAmount(), 1, math.MaxInt64)
	c, err := answer(&p, func() (claim.Claim, error) { return h.saga.PayShortfall(ctx, no, payment, request.Msg.GetAmount()) })
	return respond(&claimsv1.RecordShortfallPaymentResponse{Status: string(c.Status)}, err)
}

// WithdrawClaim ends a claim on the customer's wish. IDEMPOTENCY_UNRESOLVED: it is too late.
func (h *Handler) WithdrawClaim(ctx context.Context, request *connect.Request[claimsv1.WithdrawClaimRequest]) (*connect.Response[claimsv1.WithdrawClaimResponse], error) {
	var p problems
	no := p.Read("claim_no", request.Msg.GetClaimNo(), invalid.ClaimNo)
	c, err := answer(&p, func() (claim.Claim, error) { return h.saga.Withdraw(ctx, no) })
	return respond(&claimsv1.WithdrawClaimResponse{Status: string(c.Status)}, err)
}

// ConvertToReturn ends an exchange and opens a return in its place. Codes as those of saga.Convert.
func (h *Handler) ConvertToReturn(ctx context.Context, request *connect.Request[claimsv1.ConvertToReturnRequest]) (*connect.Response[claimsv1.ConvertToReturnResponse], error) {
	var p problems
	no := p.Read("claim_no", request.Msg.GetClaimNo(), invalid.ClaimNo)
	returnNo := p.Read("return_claim_no", request.Msg.GetReturnClaimNo(), invalid.ClaimNo)
	operator := p.Read("operator", request.Msg.GetOperator(), invalid.Operator)
	if no != "" && no == returnNo {
		p.Add("return_claim_no", apierr.FieldRepeated, "is the exchange's own number")
	}
	c, err := answer(&p, func() (claim.Claim, error) { return h.saga.Convert(ctx, no, returnNo, operator) })
	return respond(&claimsv1.ConvertToReturnResponse{ReturnStatus: string(c.Status)}, err)
}

// HoldInspection puts a collected claim into manual review. IDEMPOTENCY_UNRESOLVED: there is nothing to inspect.
func (h *Handler) HoldInspection(ctx context.Context, request *connect.Request[claimsv1.HoldInspectionRequest]) (*connect.Response[claimsv1.HoldInspectionResponse], error) {
	var p problems
	no := p.Read("claim_no", request.Msg.GetClaimNo(), invalid.ClaimNo)
	operator := p.Read("operator", request.Msg.GetOperator(), invalid.Operator)
	reason := p.Read("reason", request.Msg.GetReason(), invalid.Memo)
	c, err := answer(&p, func() (claim.Claim, error) { return h.saga.HoldInspection(ctx, no, operator, reason) })
	return respond(&claimsv1.HoldInspectionResponse{Status: string(c.Status)}, err)
}

// ActAsOperator performs an action on the seller's behalf. Codes as those of the public action.
func (h *Handler) ActAsOperator(ctx context.Context, request *connect.Request[claimsv1.ActAsOperatorRequest]) (*connect.Response[claimsv1.ActAsOperatorResponse], error) {
	no, command, err := readCommand(request.Msg)
	if err != nil {
		return nil, err
	}
	c, err := h.saga.Act(ctx, no, command)
	return respond(&claimsv1.ActAsOperatorResponse{Status: string(c.Status)}, err)
}

// CancelReshipment takes back a reshipment that is registered and has not shipped. Codes as those of saga.CancelReshipment.
func (h *Handler) CancelReshipment(ctx context.Context, request *connect.Request[claimsv1.CancelReshipmentRequest]) (*connect.Response[claimsv1.CancelReshipmentResponse], error) {
	var p problems
	no := p.Read("claim_no", request.Msg.GetClaimNo(), invalid.ClaimNo)
	operator := p.Read("operator", request.Msg.GetOperator(), invalid.Operator)
	reason := p.Read("reason", request.Msg.GetReason(), invalid.Memo)
	c, err := answer(&p, func() (claim.Claim, error) { return h.saga.CancelReshipment(ctx, no, operator, reason) })
	return respond(&claimsv1.CancelReshipmentResponse{Status: string(c.Status)}, err)
}

// FreezeClaim refuses every action on a claim. IDEMPOTENCY_UNRESOLVED: it has ended.
func (h *Handler) FreezeClaim(ctx context.Context, request *connect.Request[claimsv1.FreezeClaimRequest]) (*connect.Response[claimsv1.FreezeClaimResponse], error) {
	var p problems
	no := p.Read("claim_no", request.Msg.GetClaimNo(), invalid.ClaimNo)
	operator := p.Read("operator", request.Msg.GetOperator(), invalid.Operator)
	reason := p.Read("reason", request.Msg.GetReason(), invalid.Memo)
	code := p.freezeCode(request.Msg.GetCode())
	_, err := answer(&p, func() (claim.Claim, error) { return h.saga.Freeze(ctx, no, operator, code, reason) })
	return respond(&claimsv1.FreezeClaimResponse{}, err)
}

// UnfreezeClaim ends FreezeClaim.
func (h *Handler) UnfreezeClaim(ctx context.Context, request *connect.Request[claimsv1.UnfreezeClaimRequest]) (*connect.Response[claimsv1.UnfreezeClaimResponse], error) {
	var p problems
	no := p.Read("claim_no", request.Msg.GetClaimNo(), invalid.ClaimNo)
	operator := p.Read("operator", request.Msg.GetOperator(), invalid.Operator)
	_, err := answer(&p, func() (claim.Claim, error) { return h.saga.Unfreeze(ctx, no, operator) })
	return respond(&claimsv1.UnfreezeClaimResponse{}, err)
}

// SetSellerPolicy sets what a seller charges for claims that are requested from now on.
func (h *Handler) SetSellerPolicy(ctx context.Context, request *connect.Request[claimsv1.SetSellerPolicyRequest]) (*connect.Response[claimsv1.SetSellerPolicyResponse], error) {
	var p problems
	seller := p.UUID("seller_id", request.Msg.GetSellerId())
	fee := request.Msg.GetShippingFeeOneWay()
	p.Number("shipping_fee_one_way", fee, 0, maxFee)
	if err := p.Err(); err != nil {
		return nil, err
	}
	return respond(&claimsv1.SetSellerPolicyResponse{}, h.claims.SetPolicy(ctx, seller, claim.Policy{FeeOneWay: fee}))
}

// answer asks the saga unless the message is malformed.
func answer(p *problems, ask func() (claim.Claim, error)) (claim.Claim, error) {
	if err := p.Err(); err != nil {
		return claim.Claim{}, err
	}
	return ask()
}

// respond answers with a message, or with the error when there is one.
func respond[T any](message *T, err error) (*connect.Response[T], error) {
	if err != nil {
		return nil, err
	}
	return connect.NewResponse(message), nil
}
