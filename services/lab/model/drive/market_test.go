package drive

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/services/lab/model"
)

const operator = "운영자"

type members map[string]any

var market = map[model.Kind]func(r *run, ctx context.Context, op model.Op, id int) (members, error){
	model.Place: (*run).place, model.Pay: (*run).pay, model.Confirm: (*run).confirm, model.Correct: (*run).correct,
	model.Forget: (*run).forget, model.RequestClaim: (*run).request, model.PayShortfall: (*run).payShortfall,
	model.Withdraw: (*run).withdraw, model.Convert: (*run).convert, model.Hold: (*run).hold, model.Freeze: (*run).freeze,
	model.Unfreeze: (*run).unfreeze, model.Operate: (*run).operate, model.RefundPaid: (*run).refundPaid,
	model.CancelReship: (*run).cancelReshipment, model.RefundFailed: (*run).refundFailed, model.RetryRefund: (*run).retryRefund,
	model.PassDeadline: (*run).passDeadline, model.SetPolicy: (*run).setPolicy, model.Permit: (*run).permit,
	model.PostInquiry:  (*run).postInquiry,
	model.CancelAnswer: (*run).cancelAnswer,
}

// call makes a call of the marketplace, which is idempotent, and retries it until it is answered.
func (r *run) call(ctx context.Context, op model.Op, id int) answer {
	return r.again(ctx, func() answer {
		ctx, cancel := context.WithTimeout(ctx, settleTimeout)
		defer cancel()
		data, err := market[op.Kind](r, ctx, op, id)
		if err != nil {
			return refusal(err)
		}
		return answer{status: http.StatusOK, data: map[string]any(data)}
	})
}

func refusal(err error) answer {
	code := connect.CodeOf(err)
	switch code { //nolint:exhaustive // all others are answers
	case connect.CodeUnavailable, connect.CodeDeadlineExceeded:
		return answer{status: http.StatusServiceUnavailable, codes: []string{code.String()}}
	case connect.CodeUnknown:
		return answer{lost: err}
	}
	a := answer{codes: []string{code.String()}}
	var refused *connect.Error
	if errors.As(err, &refused) && len(refused.Details()) > 0 {
		if detail, err := refused.Details()[0].Value(); err == nil {
			if row, ok := detail.(*structpb.Struct); ok {
				a.codes = append(a.codes, fmt.Sprint(row.AsMap()["error_code"]))
			}
		}
	}
	return a
}

func made[A any](answer *A, err error, read func(*A) members) (members, error) {
	if err != nil {
		return nil, err
	}
	return read(answer), nil
}

var outcomes = map[ordersv1.PlaceOutcome]string{
	ordersv1.PlaceOutcome_PLACE_OUTCOME_PLACED: "PLACED", ordersv1.PlaceOutcome_PLACE_OUTCOME_ALREADY_PLACED: "ALREADY_PLACED",
	ordersv1.PlaceOutcome_PLACE_OUTCOME_CONFLICT: "CONFLICT",
}

var wrongTimes = map[string]time.Time{
	model.ZeroTime: {}, model.LongSince: time.Date(1999, 12, 31, 23, 59, 59, 999_999_000, time.UTC),
}

// placed returns the order that an operation places; a repetition keeps the times of the first
// call.
func (r *run) placed(op model.Op, id int) *ordersv1.Order {
	r.choosing.Lock()
	defer r.choosing.Unlock()
	if r.paidAt[op.Order].IsZero() {
		r.paidAt[op.Order] = time.Now().Add(-time.Hour).UTC().Truncate(time.Microsecond)
	}
	paidAt := r.paidAt[op.Order]
	c := model.Contact
	order := &ordersv1.Order{
		OrderNo: r.names.order(op.Order), MemberId: r.names.uuid("member %d", op.Order), Currency: model.CurrencyOf(op.Order),
		Contact: &ordersv1.Contact{
			OrdererName: c["orderer_name"], OrdererPhone: c["orderer_phone"], RecipientName: c["recipient_name"],
			RecipientPhone: c["recipient_phone"], Zipcode: c["zipcode"], Address1: c["address1"], Address2: c["address2"],
			ShipMemo: c["ship_memo"],
		},
		Sellers: []*ordersv1.SellerPart{{
			SellerId: r.seller, PointUsedAmount: op.Place.Points, ShippingFeeBase: op.Place.ShippingBase,
			ShippingFeePaid: op.Place.ShippingPaid, Lines: r.placedLines(op, op.Place.Lines, 0, id),
		}},
	}
	if at, isWrong := wrongTimes[op.Place.PaidAt]; isWrong {
		order.PaidAt = timestamppb.New(at)
	} else if !op.Place.Unpaid {
		order.PaidAt = timestamppb.New(paidAt)
		r.known.times[instant{op: id, what: "paid"}] = paidAt
	}
	if len(op.Place.Others) > 0 {
		order.Sellers = append(order.Sellers, &ordersv1.SellerPart{
			SellerId: r.names.uuid("other seller"), Lines: r.placedLines(op, op.Place.Others, len(op.Place.Lines), id),
		})
	}
	return order
}

func (r *run) placedLines(op model.Op, specs []model.LineSpec, first, id int) []*ordersv1.Line {
	lines := make([]*ordersv1.Line, 0, len(specs))
	for i, spec := range specs {
		item := model.ItemID{Order: op.Order, Item: first + i + 1}
		line := &ordersv1.Line{
			ItemId: r.names.uuid("item %d %d", item.Order, item.Item), ProductId: r.names.uuid("product %d", first+i),
			ProductName: model.ProductName(first + i), OptionName: model.OptionName, Quantity: spec.Quantity, ListPrice: spec.Unit + 1000,
			UnitPrice: spec.Unit, DiscountAmount: spec.Discount,
		}
		for k, state := range model.Way(spec.State) {
			at := r.paidAt[op.Order].Add(time.Duration(k+1) * time.Minute)
			line.History = append(line.History, &ordersv1.PastChange{ItemStatus: state, ChangedAt: timestamppb.New(at)})
			r.known.times[instant{op: id, what: "history-" + state}] = at
			if state == model.Shipping {
				line.Shipment = &ordersv1.Shipment{CarrierName: model.PlacedParcel.Carrier, TrackingNo: model.PlacedParcel.TrackingNo}
			}
		}
		r.known.items[item], r.known.owner[line.GetItemId()] = line.GetItemId(), item
		lines = append(lines, line)
	}
	return lines
}

func (r *run) place(ctx context.Context, op model.Op, id int) (members, error) {
	request := &ordersv1.PlaceOrdersRequest{Orders: []*ordersv1.Order{r.placed(op, id)}}
	answer, err := r.system.orders.PlaceOrders(ctx, request)
	return made(answer, err, func(a *ordersv1.PlaceOrdersResponse) members {
		return members{"outcome": outcomes[a.GetResults()[0].GetOutcome()]}
	})
}

var payments = map[string]ordersv1.PaymentOutcome{
	model.Paid: ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID, "failed": ordersv1.PaymentOutcome_PAYMENT_OUTCOME_FAILED,
	"expired": ordersv1.PaymentOutcome_PAYMENT_OUTCOME_EXPIRED,
}

func (r *run) pay(ctx context.Context, op model.Op, _ int) (members, error) {
	request := &ordersv1.RecordPaymentRequest{OrderNo: r.names.order(op.Order), Outcome: payments[op.To]}
	if op.To == model.Paid {
		request.PaidAt = timestamppb.Now()
	}
	answer, err := r.system.orders.RecordPayment(ctx, request)
	return made(answer, err, func(a *ordersv1.RecordPaymentResponse) members { return members{"changed": a.GetChanged()} })
}

func (r *run) act(op model.Op) *ordersv1.Act {
	if op.Act == 0 {
		return nil
	}
	return &ordersv1.Act{ActId: r.names.uuid("act %d", op.Act), Operator: operator, Reason: "고객 요청"}
}

func (r *run) confirm(ctx context.Context, op model.Op, _ int) (members, error) {
	answer, err := r.system.orders.ConfirmPurchase(ctx, &ordersv1.ConfirmPurchaseRequest{
		OrderNo: r.names.order(op.Order), ItemIds: r.itemIDs(op.Order, op.Items), Act: r.act(op),
	})
	return made(answer, err, func(a *ordersv1.ConfirmPurchaseResponse) members { return members{"changed": a.GetChanged()} })
}

func (r *run) correct(ctx context.Context, op model.Op, _ int) (members, error) {
	request := &ordersv1.CorrectItemRequest{
		OrderNo: r.names.order(op.Order), ItemId: r.itemIDs(op.Order, op.Items)[0], ItemStatus: op.To, Act: r.act(op),
	}
	if p := op.Parcel; p != nil {
		request.Shipment = &ordersv1.Shipment{CarrierName: p.Carrier, TrackingNo: p.TrackingNo, LogisticsCompany: p.Logistics}
	}
	answer, err := r.system.orders.CorrectItem(ctx, request)
	return made(answer, err, func(a *ordersv1.CorrectItemResponse) members { return members{"changed": a.GetChanged()} })
}

func (r *run) forget(ctx context.Context, op model.Op, _ int) (members, error) {
	request := &ordersv1.ForgetMemberRequest{MemberId: r.names.uuid("member %d", op.Order)}
	answer, err := r.system.orders.ForgetMember(ctx, request)
	return made(answer, err, func(a *ordersv1.ForgetMemberResponse) members { return members{"orders": float64(a.GetOrders())} })
}

// posted returns the time at which an inquiry was posted; a repetition keeps the time of the
// first call.
func (r *run) posted(op model.Op, id int) *timestamppb.Timestamp {
	r.choosing.Lock()
	defer r.choosing.Unlock()
	if r.postedAt[op.Inquiry].IsZero() {
		r.postedAt[op.Inquiry] = time.Now().Add(-time.Minute).UTC().Truncate(time.Microsecond)
	}
	r.known.times[instant{op: id, what: "paid"}] = r.postedAt[op.Inquiry]
	return timestamppb.New(r.postedAt[op.Inquiry])
}

func (r *run) postInquiry(ctx context.Context, op model.Op, id int) (members, error) {
	answer, err := r.system.inquiries.PostInquiries(ctx, &qnav1.PostInquiriesRequest{Inquiries: []*qnav1.Inquiry{{
		QnaId: r.names.inquiry(op.Inquiry), SellerId: r.seller, ProductId: r.names.uuid("product"), ProductName: model.InquiryProduct,
		Category: model.InquiryCategory, Body: model.InquiryBody, IsSecret: op.Inquiry%2 == 0, MemberDisplayName: model.InquiryMember,
		CreatedAt: r.posted(op, id),
	}}})
	return made(answer, err, func(a *qnav1.PostInquiriesResponse) members {
		return members{"outcome": map[qnav1.PostOutcome]string{
			qnav1.PostOutcome_POST_OUTCOME_POSTED: "POSTED", qnav1.PostOutcome_POST_OUTCOME_ALREADY_POSTED: "ALREADY_POSTED",
		}[a.GetOutcomes()[0]]}
	})
}

func (r *run) cancelAnswer(ctx context.Context, op model.Op, _ int) (members, error) {
	request := &qnav1.CancelAnswerRequest{QnaId: r.names.inquiry(op.Inquiry), Operator: operator, Reason: "다른 상품의 답변"}
	answer, err := r.system.inquiries.CancelAnswer(ctx, request)
	return made(answer, err, func(a *qnav1.CancelAnswerResponse) members { return members{"changed": a.GetChanged()} })
}

func (r *run) setPolicy(ctx context.Context, op model.Op, _ int) (members, error) {
	request := &claimsv1.SetSellerPolicyRequest{SellerId: r.seller, ShippingFeeOneWay: op.Amount, Currency: op.Currency}
	answer, err := r.system.claims.SetSellerPolicy(ctx, request)
	return made(answer, err, func(*claimsv1.SetSellerPolicyResponse) members { return members{} })
}

func (r *run) permit(ctx context.Context, op model.Op, _ int) (members, error) {
	request := &ordersv1.SetSellerPolicyRequest{SellerId: r.seller, ShipmentCorrection: op.Permitted}
	answer, err := r.system.orders.SetSellerPolicy(ctx, request)
	return made(answer, err, func(*ordersv1.SetSellerPolicyResponse) members { return members{} })
}
