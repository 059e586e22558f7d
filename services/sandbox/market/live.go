package market

import (
	"context"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
)

// clockAllowance is how far this clock may run ahead of the service's: payments must not lie in the service's future.
const clockAllowance = time.Second

// Intakes are the services that receive what is new in a marketplace.
type Intakes struct {
	Orders    ordersv1connect.IntakeClient
	Claims    claimsv1connect.IntakeClient
	Inquiries qnav1connect.IntakeClient
}

// Live lets one to three new orders arrive in every interval, and now and then a claim or an inquiry, until ctx ends. Some
// orders arrive unpaid and are paid in the next round, as is what a customer has to pay for a claim. failed is called with
// the errors of calls. Later calls are made all the same, so that a restart of a service does not end the trade.
func (m *Market) Live(ctx context.Context, intakes Intakes, every time.Duration, failed func(error)) {
	trade := &trade{market: m, intakes: intakes}
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-ticker.C:
			if err := trade.round(ctx, now.Add(-clockAllowance)); err != nil && ctx.Err() == nil {
				failed(err)
			}
		}
	}
}

type trade struct {
	market  *Market
	intakes Intakes
	number  int
	// unpaid are the orders that arrived without payment in the previous round, owing the claims whose customers have to pay.
	unpaid []string
	owing  []*claimCase
}

func (t *trade) round(ctx context.Context, now time.Time) error {
	if err := t.pay(ctx, now); err != nil {
		return err
	}
	d := newDraw(t.market.plan.Seed, "round", t.number)
	request := &ordersv1.PlaceOrdersRequest{}
	var unpaid []string
	for range 1 + d.IntN(3) {
		order := t.market.Arrival(t.number, now.UTC().Truncate(time.Microsecond))
		t.number++
		if d.IntN(8) == 0 {
			order.PaidAt = nil
			unpaid = append(unpaid, order.GetOrderNo())
		}
		request.Orders = append(request.Orders, order)
	}
	if _, err := t.intakes.Orders.PlaceOrders(ctx, request); err != nil {
		return err
	}
	t.unpaid = unpaid
	if d.IntN(3) == 0 {
		if err := t.claim(ctx, now.UTC().Truncate(time.Microsecond)); err != nil {
			return err
		}
	}
	if d.IntN(4) != 0 {
		return nil
	}
	return t.market.post(ctx, t.intakes.Inquiries, []*qnav1.Inquiry{t.market.Inquiry(t.number,
		now.UTC().Truncate(time.Microsecond))})
}

func (t *trade) pay(ctx context.Context, now time.Time) error {
	for _, orderNo := range t.unpaid {
		_, err := t.intakes.Orders.RecordPayment(ctx, &ordersv1.RecordPaymentRequest{
			OrderNo: orderNo, Outcome: ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID, PaidAt: timestamppb.New(now),
		})
		if err != nil {
			return err
		}
	}
	t.unpaid = nil
	for len(t.owing) > 0 {
		c := t.owing[0]
		t.owing = t.owing[1:] // a claim whose payment fails once is never paid
		if err := c.pay(ctx, ClaimStep{}); err != nil {
			return err
		}
	}
	return nil
}

func (t *trade) claim(ctx context.Context, now time.Time) error {
	c := &claimCase{client: t.intakes.Claims, claim: t.market.FreshClaim(t.number, now)}
	if err := placeFor(ctx, t.intakes.Orders, []Claim{c.claim}); err != nil {
		return err
	}
	if _, err := c.request(ctx); err != nil {
		return err
	}
	if c.shortfall > 0 {
		t.owing = append(t.owing, c)
	}
	return nil
}
