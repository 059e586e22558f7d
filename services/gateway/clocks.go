package gateway

import (
	"context"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust"
	claimsv1 "sellerapi.dev/proto/gen/claims/v1"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	qnav1 "sellerapi.dev/proto/gen/qna/v1"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/gateway/internal/held"
)

// heldCalls returns the table of held calls, which asks the services that have an RPC address.
func (c *Config) heldCalls(s *service.Shell) (*held.Table, error) {
	clocks, err := c.clocks(s)
	if err != nil {
		return nil, err
	}
	table := held.New(held.Options{Max: *c.Held.Max, Clocks: clocks, Telemetry: s.Telemetry})
	s.Background(table.Keep)
	s.OnDrain(table.Drain)
	return table, nil
}

// clocks returns what asks the services that have an RPC address for the clocks of sellers.
func (c *Config) clocks(s *service.Shell) (map[operation.Service]held.Clocks, error) {
	client, err := rpc.NewClient(c.RPC, rpc.Identity{
		Party: trust.Gateway, Key: c.SigningKey, Caller: rpc.CallerGateway, Audience: rpc.Audience(rpc.CallerGateway),
	}, s.Telemetry)
	if err != nil {
		return nil, err
	}
	s.OnClose(client.HTTP.CloseIdleConnections)
	clocks := map[operation.Service]held.Clocks{}
	for name, address := range c.Held.Upstreams {
		clocks[name] = clocksOf(client, name, address)
	}
	return clocks, nil
}

// clocksOf returns what asks a service for clocks.
func clocksOf(client *rpc.Client, name operation.Service, address string) held.Clocks {
	switch name {
	case operation.Orders:
		calls := ordersv1connect.NewClocksClient(client.HTTP, address, client.Options)
		return func(ctx context.Context, sellers [][]byte) ([]int64, error) {
			answer, err := calls.Last(ctx, &ordersv1.LastRequest{SellerIds: sellers})
			return answer.GetMicros(), err
		}
	case operation.Claims:
		calls := claimsv1connect.NewClocksClient(client.HTTP, address, client.Options)
		return func(ctx context.Context, sellers [][]byte) ([]int64, error) {
			answer, err := calls.Last(ctx, &claimsv1.LastRequest{SellerIds: sellers})
			return answer.GetMicros(), err
		}
	default:
		calls := qnav1connect.NewClocksClient(client.HTTP, address, client.Options)
		return func(ctx context.Context, sellers [][]byte) ([]int64, error) {
			answer, err := calls.Last(ctx, &qnav1.LastRequest{SellerIds: sellers})
			return answer.GetMicros(), err
		}
	}
}
