// Package claims is the service for cancel, return and exchange claims, from the request to the refund. README.md describes
// what it owns and where to look.
package claims

import (
	"context"

	"sellerapi.dev/pkg/changes"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	"sellerapi.dev/services/claims/internal/intake"
	"sellerapi.dev/services/claims/internal/rest"
	"sellerapi.dev/services/claims/internal/store"
)

// Run serves until ctx ends. An error is the reason why the service could not start or had to stop.
func Run(ctx context.Context, config Config) error {
	return service.RunBackend(ctx, operation.Claims, &config, config.build)
}

func (c *Config) build(b *service.Backend) error {
	claims := store.New(b.Pool)
	carried, err := c.saga(b, claims)
	if err != nil {
		return err
	}
	api := rest.API{Claims: claims, Cursors: b.Cursors, Saga: carried, Box: b.Box}
	b.Operations(api.Handlers())
	b.RPC(claimsv1connect.NewIntakeHandler(intake.New(carried, claims), b.RPCOptions()))
	b.RPC(claimsv1connect.NewChangesHandler(&intake.Changes{
		Claims: claims, List: api.Changes(), Sellers: changes.Sellers{Cursors: b.Cursors, Changed: claims.Changed},
	}, b.RPCOptions()))
	b.RPC(claimsv1connect.NewClocksHandler(intake.Clocks(claims.Clocks), b.RPCOptions()))
	b.Sweep(carried.Sweeps()...)
	if clock := b.SellerClock(); clock != nil {
		b.RPC(claimsv1connect.NewClockHandler(intake.Clock{Clock: clock}, b.RPCOptions()))
	}
	b.Gauges(store.Gauges()...)
	return nil
}
