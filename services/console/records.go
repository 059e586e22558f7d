package console

import (
	"context"

	"google.golang.org/protobuf/types/known/structpb"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/rpc"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/console/internal/app"
)

// find returns what finds a record of a service. Of the answers it passes on what sellers see, and nothing of the rest.
func find(name operation.Service, client *rpc.Client, address string) app.Find {
	switch name {
	case operation.Orders:
		calls := ordersv1connect.NewChangesClient(client.HTTP, address, client.Options)
		return func(ctx context.Context, seller, number string) (*structpb.Struct, error) {
			answer, err := calls.GetOrder(ctx, &ordersv1.GetOrderRequest{SellerId: seller, OrderNo: number})
			return answer.GetChange().GetRecord(), err
		}
	case operation.Claims:
		calls := claimsv1connect.NewChangesClient(client.HTTP, address, client.Options)
		return func(ctx context.Context, seller, number string) (*structpb.Struct, error) {
			answer, err := calls.GetClaim(ctx, &claimsv1.GetClaimRequest{SellerId: seller, ClaimNo: number})
			return answer.GetChange().GetRecord(), err
		}
	default:
		calls := qnav1connect.NewChangesClient(client.HTTP, address, client.Options)
		return func(ctx context.Context, seller, number string) (*structpb.Struct, error) {
			answer, err := calls.GetInquiry(ctx, &qnav1.GetInquiryRequest{SellerId: seller, QnaId: number})
			return answer.GetChange().GetRecord(), err
		}
	}
}
