package rest

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/web"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/services/sandbox/market"
)

const (
	cancelType, returnType, exchangeType = "cancel", "return", "exchange"

	defaultReason = "change_of_mind"
)

// endings are the endings of numbers of claims that tell the embedded refund provider how to act, by the value of refund.
var endings = map[string]string{"succeeds": "", "fails": market.FailEnding, "needs_account": market.AccountEnding}

// requestClaim implements POST /sandbox/v1/orders/{order_no}/claims.
func (a *API) requestClaim(ctx context.Context, at scene, body *web.Body) (happened, error) {
	request := &claimsv1.RequestClaimRequest{SellerId: at.seller.String(), OrderNo: at.orderNo}
	lines := linesOf(at.order)
	request.Type = cmp.Or(body.OptionalEnum("type", []string{cancelType, returnType, exchangeType}), usualType(lines))
	request.ReasonCode = defaultReason
	if reason := body.OptionalString("reason_code", invalid.ID); reason != nil {
		request.ReasonCode = *reason
	}
	made, err := marketOf(at.seller, false)
	if err != nil {
		return happened{}, err
	}
	ending := endings[body.OptionalEnum("refund", []string{"succeeds", "fails", "needs_account"})]
	request.ClaimNo = made.FreshClaimNo(anyNumber(), now(), ending)
	if number := body.OptionalString("claim_no", invalid.ClaimNo); number != nil {
		request.ClaimNo = *number + ending
	}
	request.Items = claimedItems(body, request.GetType(), lines, made.Option(anyNumber()))
	if err := body.Err(); err != nil {
		return happened{}, err
	}
	answered, err := a.Claims.RequestClaim(ctx, request)
	if err != nil {
		return happened{}, refused(err, "type")
	}
	done := happened{
		said: requestSaid[answered.GetShortfallAmount() > 0].With(kinds[request.GetType()], request.GetClaimNo()), orderNo: at.orderNo,
		claimNo: request.GetClaimNo(), shortfall: answered.GetShortfallAmount(), claims: []string{request.GetClaimNo()},
		orders: []string{at.orderNo},
	}
	return done, nil
}

var kinds = map[string]string{cancelType: "cancel", returnType: "return", exchangeType: "exchange"}

var requestSaid = map[bool]apierr.Phrase{
	false: {English: "The customer requested the %s claim %s.", Korean: "고객이 클레임(%s) %s을 신청했습니다."},
	true: {
		English: "The customer requested the %s claim %s and has to pay a shortfall first.",
		Korean:  "고객이 클레임(%s) %s을 신청했습니다. 먼저 추가 금액을 결제해야 합니다.",
	},
}

// usualType is what customers do with lines in this state.
func usualType(lines []line) string {
	if slices.ContainsFunc(lines, func(one line) bool { return one.status == "delivered" }) {
		return returnType
	}
	return cancelType
}

// claimable are the states of lines that a claim of a type takes when the body does not name any.
var claimable = map[string][]string{
	cancelType: {"paid", "preparing"}, returnType: {"delivered"}, exchangeType: {"delivered"},
}

// claimedItems reads the items of a claim; absent, all pieces of all lines in a state that fits, or of all lines if none does:
// the intake then says why they cannot be claimed.
func claimedItems(body *web.Body, kind string, lines []line, option string) []*claimsv1.ClaimItem {
	var items []*claimsv1.ClaimItem
	for _, object := range body.OptionalObjects("items", 1, maxLines) {
		items = append(items, claimedItem(object, lines))
	}
	for _, all := range []bool{false, true} {
		if len(items) > 0 {
			break
		}
		for _, one := range lines {
			if all || slices.Contains(claimable[kind], one.status) && !one.claimed {
				items = append(items, &claimsv1.ClaimItem{ItemId: one.id, Quantity: one.quantity})
			}
		}
	}
	for _, item := range items {
		if kind == exchangeType && item.GetExchangeOptionName() == "" {
			item.ExchangeOptionName = option
		}
	}
	return items
}

// claimedItem reads an item, of which all pieces are claimed if no quantity is given.
func claimedItem(object *web.Object, lines []line) *claimsv1.ClaimItem {
	item := &claimsv1.ClaimItem{ItemId: object.String("item_id", invalid.Text{NotEmpty: true}), Quantity: 1}
	n := slices.IndexFunc(lines, func(one line) bool { return strings.EqualFold(one.id, item.GetItemId()) })
	if n >= 0 {
		item.Quantity = lines[n].quantity
	}
	item.Quantity = orElse(object.OptionalInteger("quantity", 1, maxAmount), item.GetQuantity())
	if name := object.OptionalString("exchange_option_name", invalid.OptionName); name != nil {
		item.ExchangeOptionName = *name
	}
	item.ExchangeUnitPrice = orElse(object.OptionalInteger("exchange_unit_price", 0, maxAmount), 0)
	item.ExchangeListPrice = orElse(object.OptionalInteger("exchange_list_price", 0, maxAmount), 0)
	return item
}

// claimChanged says what happened to the claim of the path, and shows it and its order.
func (s scene) claimChanged(english, korean string, more ...string) happened {
	said := apierr.Phrase{English: english, Korean: korean}
	orderNo := text(s.claim.GetRecord().AsMap()["order_no"])
	return happened{
		said: said.With(s.claimNo), orderNo: orderNo, claimNo: s.claimNo, orders: []string{orderNo},
		claims: append([]string{s.claimNo}, more...),
	}
}

// payShortfall implements POST /sandbox/v1/claims/{claim_no}/shortfall-payment.
func (a *API) payShortfall(ctx context.Context, at scene, body *web.Body) (happened, error) {
	amount := orElse(body.OptionalInteger("amount", 0, maxAmount), at.claim.GetShortfallAmount())
	if err := body.Err(); err != nil {
		return happened{}, err
	}
	_, err := a.Claims.RecordShortfallPayment(ctx, &claimsv1.RecordShortfallPaymentRequest{
		ClaimNo: at.claimNo, PaymentId: "PAY-" + at.claimNo, Amount: amount,
	})
	done := at.claimChanged("The customer paid the shortfall of the claim %s.", "고객이 클레임 %s의 추가 금액을 결제했습니다.")
	done.shortfall = at.claim.GetShortfallAmount()
	return done, refused(err, "amount")
}

// withdraw implements POST /sandbox/v1/claims/{claim_no}/withdrawal.
func (a *API) withdraw(ctx context.Context, at scene, _ *web.Body) (happened, error) {
	_, err := a.Claims.WithdrawClaim(ctx, &claimsv1.WithdrawClaimRequest{ClaimNo: at.claimNo})
	return at.claimChanged("The customer withdrew the claim %s.", "고객이 클레임 %s을 철회했습니다."), refused(err, "claim_no")
}

// convert implements POST /sandbox/v1/claims/{claim_no}/conversion.
func (a *API) convert(ctx context.Context, at scene, body *web.Body) (happened, error) {
	number := "R" + strings.TrimPrefix(at.claimNo, "C")
	if given := body.OptionalString("return_claim_no", invalid.ClaimNo); given != nil {
		number = *given
	}
	if err := body.Err(); err != nil {
		return happened{}, err
	}
	_, err := a.Claims.ConvertToReturn(ctx, &claimsv1.ConvertToReturnRequest{
		ClaimNo: at.claimNo, ReturnClaimNo: number, Operator: operator,
	})
	return at.claimChanged("An operator made a return of the exchange %s.", "운영자가 교환 %s을 반품으로 전환했습니다.", number),
		refused(err, "return_claim_no")
}

// holdInspection implements POST /sandbox/v1/claims/{claim_no}/inspection-hold.
func (a *API) holdInspection(ctx context.Context, at scene, body *web.Body) (happened, error) {
	reason, err := memo(body, "reason", "held in the sandbox")
	if err != nil {
		return happened{}, err
	}
	_, err = a.Claims.HoldInspection(ctx, &claimsv1.HoldInspectionRequest{ClaimNo: at.claimNo, Operator: operator, Reason: reason})
	return at.claimChanged("An operator reviews the inspection of the claim %s.", "운영자가 클레임 %s의 검수를 검토합니다."),
		refused(err, "claim_no")
}

// memo reads an optional text of an operator.
func memo(body *web.Body, name, otherwise string) (string, error) {
	if given := body.OptionalString(name, invalid.Memo); given != nil {
		otherwise = *given
	}
	return otherwise, body.Err()
}

// freeze implements POST /sandbox/v1/claims/{claim_no}/freeze.
func (a *API) freeze(ctx context.Context, at scene, body *web.Body) (happened, error) {
	code := body.OptionalString("code", invalid.ID)
	if err := body.Err(); err != nil {
		return happened{}, err
	}
	request := &claimsv1.FreezeClaimRequest{ClaimNo: at.claimNo, Operator: operator, Reason: "frozen in the sandbox"}
	if code != nil {
		request.Code = *code
	}
	_, err := a.Claims.FreezeClaim(ctx, request)
	return at.claimChanged("An operator froze the claim %s.", "운영자가 클레임 %s을 동결했습니다."), refused(err, "claim_no")
}

// unfreeze implements POST /sandbox/v1/claims/{claim_no}/unfreeze.
func (a *API) unfreeze(ctx context.Context, at scene, _ *web.Body) (happened, error) {
	_, err := a.Claims.UnfreezeClaim(ctx, &claimsv1.UnfreezeClaimRequest{ClaimNo: at.claimNo, Operator: operator})
	return at.claimChanged("An operator lifted the freeze of the claim %s.", "운영자가 클레임 %s의 동결을 풀었습니다."),
		refused(err, "claim_no")
}

// actAsOperator implements POST /sandbox/v1/claims/{claim_no}/action.
func (a *API) actAsOperator(ctx context.Context, at scene, body *web.Body) (happened, error) {
	request := &claimsv1.ActAsOperatorRequest{ClaimNo: at.claimNo, Operator: operator}
	request.Action = body.String("action", invalid.ID)
	parcel, err := at.parcel(body)
	if err != nil {
		return happened{}, err
	}
	switch request.GetAction() {
	case "pickup", "reship":
		request.CarrierName, request.TrackingNo = parcel.GetCarrierName(), parcel.GetTrackingNo()
	case "inspect":
		request.Result = cmp.Or(body.OptionalEnum("result", []string{"pass", "fail"}), "pass")
		if request.GetResult() == "fail" {
			request.Memo = "failed in the sandbox"
		}
	case "reject":
		request.Memo = "rejected in the sandbox"
	}
	if request.Memo, err = memo(body, "memo", request.GetMemo()); err != nil {
		return happened{}, err
	}
	_, err = a.Claims.ActAsOperator(ctx, request)
	return at.claimChanged("An operator performed "+request.GetAction()+" on the claim %s for you.",
		"운영자가 클레임 %s에 "+request.GetAction()+" 처리를 대신했습니다."), refused(err, "action")
}

// outcomes are the results that a payment provider reports.
var outcomes = map[string]claimsv1.RefundOutcome{
	"succeeded": claimsv1.RefundOutcome_REFUND_OUTCOME_SUCCEEDED, "failed": claimsv1.RefundOutcome_REFUND_OUTCOME_FAILED,
	"needs_account": claimsv1.RefundOutcome_REFUND_OUTCOME_NEEDS_ACCOUNT,
}

// recordRefund implements POST /sandbox/v1/claims/{claim_no}/refund.
func (a *API) recordRefund(ctx context.Context, at scene, body *web.Body) (happened, error) {
	outcome := cmp.Or(body.OptionalEnum("outcome", []string{"succeeded", "failed", "needs_account"}), "succeeded")
	if err := body.Err(); err != nil {
		return happened{}, err
	}
	open := slices.IndexFunc(at.claim.GetRefunds(), func(r *claimsv1.Refund) bool { return r.GetStatus() != "succeeded" })
	if open < 0 {
		return happened{}, notAllowed("claim_no", "is of a claim that has no refund in progress", "진행 중인 환불이 없는 클레임입니다")
	}
	request := &claimsv1.RecordRefundRequest{RefundId: at.claim.GetRefunds()[open].GetRefundId(), Outcome: outcomes[outcome]}
	if outcome == "succeeded" {
		request.ProviderReference = "SANDBOX-" + uuid.NewString()
	}
	_, err := a.Claims.RecordRefund(ctx, request)
	return at.claimChanged("The payment provider reported on the refund of the claim %s: "+outcome+".",
		"결제사가 클레임 %s의 환불 결과를 알렸습니다: "+outcome), refused(err, "outcome")
}

// retryRefund implements POST /sandbox/v1/claims/{claim_no}/refund-retry.
func (a *API) retryRefund(ctx context.Context, at scene, _ *web.Body) (happened, error) {
	_, err := a.Claims.RetryRefund(ctx, &claimsv1.RetryRefundRequest{ClaimNo: at.claimNo, Operator: operator})
	return at.claimChanged("An operator requested the refund of the claim %s again.", "운영자가 클레임 %s의 환불을 다시 요청했습니다."),
		refused(err, "claim_no")
}

// cancelReshipment implements POST /sandbox/v1/claims/{claim_no}/reshipment-cancellation.
func (a *API) cancelReshipment(ctx context.Context, at scene, _ *web.Body) (happened, error) {
	_, err := a.Claims.CancelReshipment(ctx, &claimsv1.CancelReshipmentRequest{
		ClaimNo: at.claimNo, Operator: operator, Reason: "cancelled in the sandbox",
	})
	return at.claimChanged("An operator cancelled the reshipment of the claim %s.", "운영자가 클레임 %s의 재발송을 취소했습니다."),
		refused(err, "claim_no")
}
