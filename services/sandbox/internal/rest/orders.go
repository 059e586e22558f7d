package rest

import (
	"context"
	"slices"
	"strings"

	"github.com/google/uuid"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/web"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// payment is an outcome of a payment and what is said of it.
type payment struct {
	name    string
	outcome ordersv1.PaymentOutcome
	said    apierr.Phrase
}

var payments = []payment{
	{"paid", ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID, apierr.Phrase{
		English: "The customer paid the order %s: you see it now.", Korean: "고객이 주문 %s을 결제했습니다. 이제 조회됩니다.",
	}},
	{"failed", ordersv1.PaymentOutcome_PAYMENT_OUTCOME_FAILED, apierr.Phrase{
		English: "The payment of the order %s failed: you will never see it.", Korean: "주문 %s의 결제가 실패했습니다. 이 주문은 조회되지 않습니다.",
	}},
	{"expired", ordersv1.PaymentOutcome_PAYMENT_OUTCOME_EXPIRED, apierr.Phrase{
		English: "The payment of the order %s expired: you will never see it.",
		Korean:  "주문 %s의 결제 기한이 지났습니다. 이 주문은 조회되지 않습니다.",
	}},
}

// endPayment implements POST /sandbox/v1/orders/{order_no}/payment.
func (a *API) endPayment(ctx context.Context, at scene, body *web.Body) (happened, error) {
	names := make([]string, len(payments))
	for i, one := range payments {
		names[i] = one.name
	}
	chosen := max(slices.Index(names, body.OptionalEnum("outcome", names)), 0)
	if err := body.Err(); err != nil {
		return happened{}, err
	}
	request := &ordersv1.RecordPaymentRequest{
		OrderNo: at.orderNo, Outcome: payments[chosen].outcome, SellerIds: []string{at.seller.String(), partner(at.seller).String()},
	}
	if chosen == 0 {
		request.PaidAt = timestamppb.New(now())
	}
	_, err := a.Orders.RecordPayment(ctx, request)
	return at.orderChanged(payments[chosen].said), refused(err, "outcome")
}

// orderChanged says what happened to the order of the path.
func (s scene) orderChanged(said apierr.Phrase) happened {
	return happened{said: said.With(s.orderNo), orderNo: s.orderNo, orders: []string{s.orderNo}}
}

// chosen reads the lines that a body names, which must be the seller's; absent, those that fit, or all if none does.
func (s scene) chosen(body *web.Body, fits func(line) bool) ([]line, error) {
	ids := body.OptionalStrings("item_ids", web.List{Min: 1, Max: maxLines, Unique: true, Element: invalid.Text{NotEmpty: true}})
	if err := body.Err(); err != nil {
		return nil, err
	}
	all := linesOf(s.order)
	if ids == nil {
		fitting := slices.DeleteFunc(slices.Clone(all), func(one line) bool { return !fits(one) })
		if len(fitting) == 0 {
			return all, nil
		}
		return fitting, nil
	}
	lines := make([]line, len(ids))
	for i, id := range ids {
		n := slices.IndexFunc(all, func(one line) bool { return strings.EqualFold(one.id, id) })
		if n < 0 {
			return nil, apierr.OrderItemNotFound
		}
		lines[i] = all[n]
	}
	return lines, nil
}

func idsOf(lines []line) []string {
	ids := make([]string, len(lines))
	for i, one := range lines {
		ids[i] = one.id
	}
	return ids
}

// confirm implements POST /sandbox/v1/orders/{order_no}/confirmation.
func (a *API) confirm(ctx context.Context, at scene, body *web.Body) (happened, error) {
	lines, err := at.chosen(body, func(one line) bool { return one.status == "delivered" && !one.claimed })
	if err != nil {
		return happened{}, err
	}
	_, err = a.Orders.ConfirmPurchase(ctx, &ordersv1.ConfirmPurchaseRequest{OrderNo: at.orderNo, ItemIds: idsOf(lines)})
	return at.orderChanged(apierr.Phrase{
		English: "The customer confirmed the purchase of the order %s.", Korean: "고객이 주문 %s의 구매를 확정했습니다.",
	}), refused(err, "item_ids")
}

// itemStates are the states into which an operator can move a line, and whether it then has a parcel.
var itemStates = map[string]bool{"paid": false, "preparing": false, "shipping": true, "delivered": true}

// correct implements POST /sandbox/v1/orders/{order_no}/correction.
func (a *API) correct(ctx context.Context, at scene, body *web.Body) (happened, error) {
	status := body.Enum("item_status", []string{"paid", "preparing", "shipping", "delivered"})
	parcel, err := at.parcel(body)
	if err != nil {
		return happened{}, err
	}
	lines, err := at.chosen(body, func(one line) bool { return !one.claimed })
	if err != nil {
		return happened{}, err
	}
	given := body.Given("carrier_name") || body.Given("tracking_no")
	for _, one := range lines {
		request := &ordersv1.CorrectItemRequest{
			OrderNo: at.orderNo, ItemId: one.id, ItemStatus: status,
			Act: &ordersv1.Act{ActId: uuid.NewString(), Operator: operator, Reason: "correction in the sandbox"},
		}
		if given || itemStates[status] && one.carrier == "" {
			request.Shipment = parcel
		}
		if _, err := a.Orders.CorrectItem(ctx, request); err != nil {
			return happened{}, refused(err, "item_status")
		}
	}
	return at.orderChanged(apierr.Phrase{
		English: "An operator corrected lines of the order %s.", Korean: "운영자가 주문 %s의 품목 상태를 정정했습니다.",
	}), nil
}

// parcel reads carrier and tracking number over a drawn parcel.
func (s scene) parcel(body *web.Body) (*ordersv1.Shipment, error) {
	made, err := marketOf(s.seller, false)
	if err != nil {
		return nil, err
	}
	parcel := made.Parcel(anyNumber())
	if name := body.OptionalString("carrier_name", invalid.CarrierName); name != nil {
		parcel.CarrierName = *name
	}
	if number := body.OptionalString("tracking_no", invalid.TrackingNo); number != nil {
		parcel.TrackingNo = *number
	}
	return parcel, body.Err()
}

// setShipBy implements POST /sandbox/v1/orders/{order_no}/ship-by.
func (a *API) setShipBy(ctx context.Context, at scene, body *web.Body) (happened, error) {
	request := &ordersv1.SetShipByRequest{OrderNo: at.orderNo}
	said := apierr.Phrase{
		English: "The lines of the order %s have no time any more by which to ship them.", Korean: "주문 %s의 발송 기한이 없어졌습니다.",
	}
	if by := body.OptionalTime("ship_by"); by != nil {
		request.ShipBy = timestamppb.New(*by)
		said = apierr.Phrase{
			English: "The time by which to ship lines of the order %s was set.", Korean: "주문 %s의 발송 기한이 정해졌습니다.",
		}
	}
	lines, err := at.chosen(body, func(line) bool { return true })
	if err != nil {
		return happened{}, err
	}
	request.ItemIds = idsOf(lines)
	_, err = a.Orders.SetShipBy(ctx, request)
	return at.orderChanged(said), refused(err, "ship_by")
}

// forgetMember implements POST /sandbox/v1/orders/{order_no}/member-withdrawal.
func (a *API) forgetMember(ctx context.Context, at scene, _ *web.Body) (happened, error) {
	member, isOwn := ownMember(at.seller, at.order)
	if !isOwn {
		return happened{}, notAllowed("order_no",
			"is of an order that was not placed in the sandbox: its member has orders of other sellers",
			"샌드박스에서 넣은 주문이 아닙니다. 그 회원은 다른 판매자의 주문도 있습니다")
	}
	_, err := a.Orders.ForgetMember(ctx, &ordersv1.ForgetMemberRequest{MemberId: member})
	return at.orderChanged(apierr.Phrase{
		English: "The member who placed the order %s withdrew: the personal data of all orders of the member are deleted.",
		Korean:  "주문 %s의 회원이 탈퇴했습니다. 이 회원의 모든 주문에서 개인정보가 삭제되었습니다.",
	}), refused(err, "order_no")
}
