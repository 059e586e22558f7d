package market

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"connectrpc.com/connect"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/timestamppb"

	"sellerapi.dev/pkg/apierr"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
)

const (
	cancel, exchange = "cancel", "exchange"

	pay, pickup, reship = "pay", "pickup", "reship"
)

// operator is the name under which actions on claims are recorded, for the sellers and for the marketplace.
const operator = "고객센터"

const (
	claimsAtOnce     = 6
	claimOrdersBatch = 1000
	// reshipTimeout is how long a reshipment may take on a busy machine, reshipPause the pause between two attempts.
	reshipTimeout = time.Minute
	reshipPause   = 300 * time.Millisecond
)

type claimCase struct {
	client claimsv1connect.IntakeClient
	claim  Claim
	// shortfall is the amount that the customer has to pay first.
	shortfall int64
}

func (c *claimCase) no() string { return c.claim.Request.GetClaimNo() }

var claimActs = map[string]func(*claimCase, context.Context, ClaimStep) error{
	pay:            (*claimCase).pay,
	"withdraw":     (*claimCase).withdraw,
	"hold":         (*claimCase).hold,
	"freeze":       (*claimCase).freeze,
	"convert":      (*claimCase).convert,
	"approve":      acting("approve", ""),
	"reject":       acting("reject", ""),
	pickup:         acting(pickup, ""),
	"collect-done": acting("collect-done", ""),
	"pass":         acting("inspect", "pass"),
	"fail":         acting("inspect", "fail"),
	reship:         acting(reship, ""),
}

// FillClaims sends the claims 0 to n-1 of the plan. The base of the plan must be about now, because orders that are too old
// can no longer be claimed. A claim that has already been worked on is left as it is, so filling again with the same plan
// adds what is missing.
func (m *Market) FillClaims(ctx context.Context, intakes Intakes, n int) error {
	claims := make([]Claim, n)
	for number := range claims {
		claims[number] = m.Claim(number)
	}
	if err := placeFor(ctx, intakes.Orders, claims); err != nil {
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(claimsAtOnce)
	for _, one := range claims {
		group.Go(func() error {
			c := &claimCase{client: intakes.Claims, claim: one}
			if err := c.fill(ctx); err != nil {
				return fmt.Errorf("fill claim %s: %w", c.no(), err)
			}
			return nil
		})
	}
	return group.Wait()
}

func placeFor(ctx context.Context, client ordersv1connect.IntakeClient, claims []Claim) error {
	for batch := range slices.Chunk(claims, claimOrdersBatch) {
		request := &ordersv1.PlaceOrdersRequest{}
		for _, one := range batch {
			request.Orders = append(request.Orders, one.Order)
		}
		if _, err := client.PlaceOrders(ctx, request); err != nil {
			return fmt.Errorf("place the orders of claims: %w", err)
		}
	}
	return nil
}

// fill requests the claim and takes its steps, unless steps were taken before.
func (c *claimCase) fill(ctx context.Context) error {
	status, err := c.request(ctx)
	if err != nil || (status != "requested" && status != "payment_pending") {
		return err
	}
	for _, next := range c.claim.Steps {
		if err := claimActs[next.Act](c, ctx, next); err != nil {
			return fmt.Errorf("%s: %w", next.Act, err)
		}
	}
	return nil
}

func (c *claimCase) request(ctx context.Context) (string, error) {
	answer, err := c.client.RequestClaim(ctx, c.claim.Request)
	if err != nil {
		return "", fmt.Errorf("request: %w", err)
	}
	c.shortfall = answer.GetShortfallAmount()
	return answer.GetStatus(), nil
}

func (c *claimCase) pay(ctx context.Context, _ ClaimStep) error {
	_, err := c.client.RecordShortfallPayment(ctx, &claimsv1.RecordShortfallPaymentRequest{
		ClaimNo: c.no(), PaymentId: "PAY-" + c.no(), Amount: c.shortfall,
	})
	return err
}

func (c *claimCase) withdraw(ctx context.Context, _ ClaimStep) error {
	_, err := c.client.WithdrawClaim(ctx, &claimsv1.WithdrawClaimRequest{ClaimNo: c.no()})
	return err
}

func (c *claimCase) hold(ctx context.Context, step ClaimStep) error {
	_, err := c.client.HoldInspection(ctx, &claimsv1.HoldInspectionRequest{
		ClaimNo: c.no(), Operator: operator, Reason: step.Memo,
	})
	return err
}

func (c *claimCase) freeze(ctx context.Context, step ClaimStep) error {
	_, err := c.client.FreezeClaim(ctx, &claimsv1.FreezeClaimRequest{
		ClaimNo: c.no(), Operator: operator, Reason: step.Memo,
	})
	return err
}

func (c *claimCase) convert(ctx context.Context, _ ClaimStep) error {
	_, err := c.client.ConvertToReturn(ctx, &claimsv1.ConvertToReturnRequest{
		ClaimNo: c.no(), ReturnClaimNo: returnNo(c.no()), Operator: operator,
	})
	return err
}

// acting returns a function that performs one of the seller's actions on the seller's behalf. It retries a reshipment that
// is registered but whose line is not shipped yet.
func acting(action, result string) func(*claimCase, context.Context, ClaimStep) error {
	return func(c *claimCase, ctx context.Context, step ClaimStep) error {
		ctx, cancel := context.WithTimeout(ctx, reshipTimeout)
		defer cancel()
		for {
			_, err := c.client.ActAsOperator(ctx, &claimsv1.ActAsOperatorRequest{
				ClaimNo: c.no(), Action: action, Operator: operator, Result: result, Memo: step.Memo, HappenedAt: timestamppb.New(step.At),
				CarrierName: step.Parcel.GetCarrierName(), TrackingNo: step.Parcel.GetTrackingNo(),
			})
			var refused *connect.Error
			if !errors.As(err, &refused) || refused.Meta().Get("x-error-code") != string(apierr.ExchangeItemShipFailed) {
				return err
			}
			select {
			case <-ctx.Done():
				return err
			case <-time.After(reshipPause):
			}
		}
	}
}
