package drive

import (
	"context"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/lab/model"
)

// tellProvider sets the provider's answer for the refund of a claim that does not exist yet.
func (r *run) tellProvider(claim int, op model.Op) {
	if r.model.Claims[claim] == nil {
		r.system.provider.says(r.names.claim(claim), wordOn(op))
	}
}

func wordOn(op model.Op) string {
	switch {
	case op.Later:
		return "accepted"
	case op.Fails:
		return "failed"
	default:
		return paid
	}
}

func (r *run) request(ctx context.Context, op model.Op, _ int) (members, error) {
	r.tellProvider(op.Claim, op)
	request := &claimsv1.RequestClaimRequest{
		ClaimNo: r.names.claim(op.Claim), SellerId: r.seller, OrderNo: r.names.order(op.Order), Type: op.Type, ReasonCode: op.Reason,
	}
	for _, wanted := range op.Wanted {
		item := &claimsv1.ClaimItem{ItemId: r.itemIDs(op.Order, []int{wanted.Item})[0], Quantity: wanted.Quantity}
		if op.Type == model.Exchange {
			item.ExchangeOptionName, item.ExchangeUnitPrice, item.ExchangeListPrice = model.WantedOption, wanted.Unit, wanted.List
		}
		request.Items = append(request.Items, item)
	}
	answer, err := r.system.claims.RequestClaim(ctx, request)
	return made(answer, err, func(a *claimsv1.RequestClaimResponse) members {
		return members{"status": a.GetStatus(), "shortfall_amount": float64(a.GetShortfallAmount())}
	})
}

func (r *run) payShortfall(ctx context.Context, op model.Op, _ int) (members, error) {
	answer, err := r.system.claims.RecordShortfallPayment(ctx, &claimsv1.RecordShortfallPaymentRequest{
		ClaimNo: r.names.claim(op.Claim), PaymentId: r.names.uuid("payment %d", op.Payment), Amount: op.Amount,
	})
	return made(answer, err, func(a *claimsv1.RecordShortfallPaymentResponse) members { return members{"status": a.GetStatus()} })
}

func (r *run) withdraw(ctx context.Context, op model.Op, _ int) (members, error) {
	request := &claimsv1.WithdrawClaimRequest{ClaimNo: r.names.claim(op.Claim)}
	answer, err := r.system.claims.WithdrawClaim(ctx, request)
	return made(answer, err, func(a *claimsv1.WithdrawClaimResponse) members { return members{"status": a.GetStatus()} })
}

func (r *run) convert(ctx context.Context, op model.Op, _ int) (members, error) {
	r.tellProvider(op.Return, op)
	answer, err := r.system.claims.ConvertToReturn(ctx, &claimsv1.ConvertToReturnRequest{
		ClaimNo: r.names.claim(op.Claim), ReturnClaimNo: r.names.claim(op.Return), Operator: operator,
	})
	return made(answer, err, func(a *claimsv1.ConvertToReturnResponse) members {
		return members{"return_status": a.GetReturnStatus()}
	})
}

func (r *run) hold(ctx context.Context, op model.Op, _ int) (members, error) {
	answer, err := r.system.claims.HoldInspection(ctx, &claimsv1.HoldInspectionRequest{
		ClaimNo: r.names.claim(op.Claim), Operator: operator, Reason: "사진 확인 필요",
	})
	return made(answer, err, func(a *claimsv1.HoldInspectionResponse) members { return members{"status": a.GetStatus()} })
}

func (r *run) freeze(ctx context.Context, op model.Op, _ int) (members, error) {
	request := &claimsv1.FreezeClaimRequest{ClaimNo: r.names.claim(op.Claim), Operator: operator, Reason: "구매자 신고", Code: op.Code}
	answer, err := r.system.claims.FreezeClaim(ctx, request)
	return made(answer, err, func(*claimsv1.FreezeClaimResponse) members { return members{} })
}

func (r *run) unfreeze(ctx context.Context, op model.Op, _ int) (members, error) {
	request := &claimsv1.UnfreezeClaimRequest{ClaimNo: r.names.claim(op.Claim), Operator: operator}
	answer, err := r.system.claims.UnfreezeClaim(ctx, request)
	return made(answer, err, func(*claimsv1.UnfreezeClaimResponse) members { return members{} })
}

func (r *run) operate(ctx context.Context, op model.Op, _ int) (members, error) {
	request := &claimsv1.ActAsOperatorRequest{
		ClaimNo: r.names.claim(op.Claim), Action: op.Action, Operator: operator, Result: op.Result,
	}
	if op.Memo != nil {
		request.Memo = *op.Memo
	}
	if op.Parcel != nil {
		request.CarrierName, request.TrackingNo = op.Parcel.Carrier, op.Parcel.TrackingNo
	}
	answer, err := r.system.claims.ActAsOperator(ctx, request)
	return made(answer, err, func(a *claimsv1.ActAsOperatorResponse) members { return members{"status": a.GetStatus()} })
}
