package stacktest

import (
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/timestamppb"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// OrderOption changes an order before it is placed.
type OrderOption func(*ordersv1.Order)

// NewOrder returns an order of one seller with one new line, paid a minute ago.
func NewOrder(sellerID string, options ...OrderOption) *ordersv1.Order {
	order := &ordersv1.Order{
		OrderNo:  "T" + strings.ToUpper(strings.ReplaceAll(uuid.NewString(), "-", "")),
		MemberId: uuid.NewString(),
		Currency: "KRW",
		PaidAt:   timestamppb.New(time.Now().Add(-time.Minute).UTC().Truncate(time.Microsecond)),
		Contact: &ordersv1.Contact{
			OrdererName: "김민준", OrdererPhone: "010-0123-4567", RecipientName: "이서연", RecipientPhone: "010-0765-4321",
			Zipcode: "06236", Address1: "서울특별시 강남구 테헤란로 152", Address2: "3층", ShipMemo: "문 앞에 놓아주세요",
		},
		Sellers: []*ordersv1.SellerPart{NewPart(sellerID)},
	}
	for _, option := range options {
		option(order)
	}
	return order
}

// NewPart returns a seller's part of an order, with one new line.
func NewPart(sellerID string) *ordersv1.SellerPart {
	return &ordersv1.SellerPart{
		SellerId: sellerID, PointUsedAmount: 500, ShippingFeeBase: 3000, ShippingFeePaid: 3000,
		Lines: []*ordersv1.Line{NewLine("순면 티셔츠")},
	}
}

// NewLine returns a line in its initial state.
func NewLine(productName string) *ordersv1.Line {
	return &ordersv1.Line{
		ItemId: uuid.NewString(), ProductId: uuid.NewString(), ProductName: productName, OptionName: "블랙 / M",
		Quantity: 2, ListPrice: 15900, UnitPrice: 12900, DiscountAmount: 1000,
	}
}

// PaidAt sets the time of the payment.
func PaidAt(at time.Time) OrderOption {
	return func(o *ordersv1.Order) { o.PaidAt = timestamppb.New(at) }
}

// Unpaid removes the payment, which stays pending.
func Unpaid(o *ordersv1.Order) { o.PaidAt = nil }

// With adds another seller's part.
func With(sellerID string) OrderOption {
	return func(o *ordersv1.Order) { o.Sellers = append(o.Sellers, NewPart(sellerID)) }
}

// Lines replaces the lines of the first seller.
func Lines(lines ...*ordersv1.Line) OrderOption {
	return func(o *ordersv1.Order) { o.Sellers[0].Lines = lines }
}

// InState brings the first seller's lines to this state with one change per hour, the first an
// hour after the payment, which is moved back accordingly.
func InState(status string) OrderOption {
	return func(o *ordersv1.Order) {
		changes := ways[status]
		paidAt := time.Now().Add(-time.Duration(len(changes)+1) * time.Hour).UTC().Truncate(time.Microsecond)
		o.PaidAt = timestamppb.New(paidAt)
		for _, line := range o.GetSellers()[0].GetLines() {
			SetHistory(line, paidAt, time.Hour, changes...)
		}
	}
}

// Way returns the states between the payment and a state, including that state.
func Way(status string) []string { return ways[status] }

var ways = map[string][]string{
	"paid":      nil,
	"preparing": {"preparing"},
	"shipping":  {"preparing", "shipping"},
	"delivered": {"preparing", "shipping", "delivered"},
	"confirmed": {"preparing", "shipping", "delivered", "confirmed"},
	"canceled":  {"canceled"},
	"returned":  {"preparing", "shipping", "delivered", "returned"},
	"exchanged": {"preparing", "shipping", "delivered", "exchanged"},
}

// SetHistory gives a line a history: the states that it entered, one per interval after the
// payment.
func SetHistory(line *ordersv1.Line, paidAt time.Time, every time.Duration, statuses ...string) {
	for i, status := range statuses {
		at := paidAt.Add(time.Duration(i+1) * every)
		line.History = append(line.History, &ordersv1.PastChange{ItemStatus: status, ChangedAt: timestamppb.New(at)})
		if status == "shipping" {
			company := "가온물류"
			line.Shipment = &ordersv1.Shipment{CarrierName: "CJ대한통운", TrackingNo: "612345678901", LogisticsCompany: &company}
		}
	}
}

// Place places the orders, all of which must be new.
func (s *Stack) Place(t *testing.T, orders ...*ordersv1.Order) {
	t.Helper()
	answer, err := s.Intake.PlaceOrders(t.Context(), &ordersv1.PlaceOrdersRequest{Orders: orders})
	require.NoError(t, err)
	require.Len(t, answer.GetResults(), len(orders))
	for i, result := range answer.GetResults() {
		require.Equal(t, ordersv1.PlaceOutcome_PLACE_OUTCOME_PLACED, result.GetOutcome(), orders[i].GetOrderNo())
	}
}

// PlaceNew places an order made by NewOrder and returns it.
func (s *Stack) PlaceNew(t *testing.T, sellerID string, options ...OrderOption) *ordersv1.Order {
	t.Helper()
	order := NewOrder(sellerID, options...)
	s.Place(t, order)
	return order
}

// PlaceMany places n orders that differ only in their numbers and lines.
func (s *Stack) PlaceMany(t *testing.T, n int, sellerID string, options ...OrderOption) []*ordersv1.Order {
	t.Helper()
	orders := make([]*ordersv1.Order, n)
	for i := range orders {
		orders[i] = NewOrder(sellerID, options...)
	}
	s.Place(t, orders...)
	return orders
}

// SetShipBy sets by when a line should be shipped.
func (s *Stack) SetShipBy(t *testing.T, orderNo, itemID string, at time.Time) {
	t.Helper()
	Must(t, s.Intake.SetShipBy, &ordersv1.SetShipByRequest{
		OrderNo: orderNo, ItemIds: []string{itemID}, ShipBy: timestamppb.New(at),
	})
}

// PermitCorrection sets whether a seller may correct shipments.
func (s *Stack) PermitCorrection(t *testing.T, sellerID string, may bool) {
	t.Helper()
	Must(t, s.Intake.SetSellerPolicy, &ordersv1.SetSellerPolicyRequest{SellerId: sellerID, ShipmentCorrection: may})
}

// RecordPayment records the outcome of an order's payment.
func (s *Stack) RecordPayment(t *testing.T, orderNo string, outcome ordersv1.PaymentOutcome) {
	t.Helper()
	request := &ordersv1.RecordPaymentRequest{OrderNo: orderNo, Outcome: outcome}
	if outcome == ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID {
		request.PaidAt = timestamppb.New(time.Now().Add(-time.Second))
	}
	_, err := s.Intake.RecordPayment(t.Context(), request)
	require.NoError(t, err, "payment of "+orderNo)
}
