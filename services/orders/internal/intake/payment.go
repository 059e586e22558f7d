package intake

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/orders/internal/order"
)

var payments = map[ordersv1.PaymentOutcome]order.Payment{
	ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID:    order.PaymentPaid,
	ordersv1.PaymentOutcome_PAYMENT_OUTCOME_FAILED:  order.PaymentFailed,
	ordersv1.PaymentOutcome_PAYMENT_OUTCOME_EXPIRED: order.PaymentExpired,
}

// RecordPayment implements orders.v1.Intake.
func (s *Service) RecordPayment(ctx context.Context,
	request *ordersv1.RecordPaymentRequest,
) (*ordersv1.RecordPaymentResponse, error) {
	outcome, paidAt, err := s.paymentOf(ctx, request)
	if err != nil {
		return nil, err
	}
	var p invalid.Problems
	among := make([]uuid.UUID, len(request.GetSellerIds()))
	for i, id := range request.GetSellerIds() {
		among[i] = p.UUID(fmt.Sprintf("seller_ids[%d]", i), id)
	}
	if err := p.Err(); err != nil {
		return nil, err
	}
	if !order.IsNo(request.GetOrderNo()) {
		return nil, apierr.OrderNotFound
	}
	changed, err := s.Orders.EndPayment(ctx, request.GetOrderNo(), outcome, paidAt, among...)
	return &ordersv1.RecordPaymentResponse{Changed: changed}, wireError(err)
}

// paymentOf returns the outcome of a payment, and its time if it is paid.
func (s *Service) paymentOf(ctx context.Context, sent *ordersv1.RecordPaymentRequest) (order.Payment, time.Time, error) {
	outcome, known := payments[sent.GetOutcome()]
	if !known {
		return "", time.Time{}, apierr.Invalid(apierr.FieldError{
			Field: "outcome", Code: apierr.FieldNotAllowed, Message: "is not paid, failed or expired",
		})
	}
	if outcome != order.PaymentPaid {
		return outcome, time.Time{}, nil
	}
	now, err := s.Orders.Now(ctx)
	if err != nil {
		return "", time.Time{}, err
	}
	c := &converter{}
	paidAt := c.moment("paid_at", sent.GetPaidAt())
	if len(c.List()) == 0 {
		c.Append(order.CheckPaidAt("paid_at", paidAt, now)...)
	}
	return outcome, paidAt, c.Err()
}
