package claims

import (
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/refund"
	"sellerapi.dev/services/claims/internal/saga"
	"sellerapi.dev/services/claims/internal/store"
)

func (c *Config) saga(b *service.Backend, claims *store.Store) (*saga.Saga, error) {
	times := c.times()
	orders, err := lines.New(times.Orders, c.RPC, rpc.Identity{
		Party: trust.Claims, Key: c.SigningKey, Caller: rpc.CallerClaims, Audience: []string{string(operation.Orders)},
	}, b.Telemetry)
	if err != nil {
		return nil, err
	}
	b.OnClose(orders.Close)
	provider, err := refund.Open(c.Refund)
	if err != nil {
		return nil, err
	}
	b.OnClose(provider.Close)
	return saga.New(saga.Options{
		Claims: claims, Lines: orders, Provider: provider, Telemetry: b.Telemetry, Periods: claim.Periods(c.Periods),
		Inline: times.Inline,
	}), nil
}
