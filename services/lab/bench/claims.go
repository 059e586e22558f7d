package bench

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"
	"google.golang.org/protobuf/types/known/timestamppb"

	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/allinone/stack"
	"sellerapi.dev/services/lab/wire"
)

// claimsAtOnce is how many claims are prepared concurrently.
const claimsAtOnce = 8

func approvals(ctx context.Context, w *world, sellers []*seller, count int) ([][][]byte, error) {
	return w.claimCalls(ctx, sellers, count, nil, func(no, key string) []byte {
		return wire.Post("/open/v1/claims/"+no+"/approve", key, "")
	})
}

// inspections returns calls that let collected returns pass, so that their refunds begin at once.
func inspections(ctx context.Context, w *world, sellers []*seller, count int) ([][][]byte, error) {
	return w.claimCalls(ctx, sellers, count, []string{"approve", "pickup", "collect-done"}, func(no, key string) []byte {
		return wire.Post("/open/v1/claims/"+no+"/inspect", key, `{"result":"pass"}`)
	})
}

// claimCalls returns a call about each of as many returns of delivered orders, on which an operator has acted.
func (w *world) claimCalls(ctx context.Context, sellers []*seller, count int, acts []string, call func(no, key string) []byte,
) ([][][]byte, error) {
	placed, err := w.place(ctx, sellers, count, delivered)
	if err != nil {
		return nil, err
	}
	requests := make([][][]byte, len(sellers))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(claimsAtOnce)
	for i, orders := range placed {
		requests[i] = make([][]byte, count)
		for n, o := range orders {
			group.Go(func() error {
				no := "B" + uuid.NewString()
				requests[i][n] = call(no, sellers[i].key)
				return w.claim(ctx, no, sellers[i].id, o, acts)
			})
		}
	}
	return requests, group.Wait()
}

func (w *world) claim(ctx context.Context, no, sellerID string, o shippable, acts []string) error {
	client := stack.ClaimIntake(w.env.ClaimsRPCURL, w.env.RPCToken)
	_, err := client.RequestClaim(ctx, &claimsv1.RequestClaimRequest{
		ClaimNo: no, SellerId: sellerID, OrderNo: o.no, Type: "return", ReasonCode: "defective",
		Items: []*claimsv1.ClaimItem{{ItemId: o.itemID, Quantity: quantity}},
	})
	if err != nil {
		return fmt.Errorf("request a claim: %w", err)
	}
	for _, act := range acts {
		_, err := client.ActAsOperator(ctx, &claimsv1.ActAsOperatorRequest{
			ClaimNo: no, Action: act, Operator: actor, CarrierName: "CJ대한통운", TrackingNo: "690000000012",
		})
		if err != nil {
			return fmt.Errorf("%s: %w", act, err)
		}
	}
	return nil
}

// delivered gives an order the history of one that was delivered yesterday.
func delivered(o *ordersv1.Order) {
	const step = 12 * time.Hour
	paid := time.Now().Add(-5 * step)
	o.PaidAt = timestamppb.New(paid)
	line := o.GetSellers()[0].GetLines()[0]
	for n, status := range []string{"preparing", "shipping", "delivered"} {
		line.History = append(line.History, &ordersv1.PastChange{
			ItemStatus: status, ChangedAt: timestamppb.New(paid.Add(time.Duration(n+1) * step)),
		})
	}
	line.Shipment = &ordersv1.Shipment{CarrierName: "CJ대한통운", TrackingNo: "690000000011"}
}
