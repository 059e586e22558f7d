// Package orders is the service that owns orders, their items, parcels and history: it serves the public operations on orders,
// which the gateway forwards, and receives orders from the marketplace core. README.md describes the layout.
package orders

import (
	"context"

	"sellerapi.dev/pkg/changes"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/orders/internal/intake"
	"sellerapi.dev/services/orders/internal/lines"
	"sellerapi.dev/services/orders/internal/rest"
	"sellerapi.dev/services/orders/internal/store"
)

// Run serves until ctx is done. It returns an error if the service could not start or had to stop.
func Run(ctx context.Context, config Config) error {
	//nolint:contextcheck // its requests have their own contexts
	return service.RunBackend(ctx, operation.Orders, &config, func(b *service.Backend) error {
		terms := config.terms()
		orders := store.New(b.Pool, terms)
		api := rest.API{
			Orders: orders, Cursors: b.Cursors, Box: b.Box, Logger: b.Telemetry.Logger, BatchWorkers: config.batchWorkers(),
		}
		b.Operations(api.Handlers())
		b.RPC(ordersv1connect.NewIntakeHandler(&intake.Service{Orders: orders}, b.RPCOptions()))
		b.RPC(ordersv1connect.NewChangesHandler(&intake.Changes{
			Orders: orders, List: api.Changes(), Sellers: changes.Sellers{Cursors: b.Cursors, Changed: orders.Changed},
		}, b.RPCOptions()))
		b.RPC(ordersv1connect.NewClaimLinesHandler(&lines.Service{Holds: orders, Terms: terms}, b.RPCOptions()))
		b.RPC(ordersv1connect.NewClocksHandler(intake.Clocks(orders.Clocks), b.RPCOptions()))
		b.Sweep(orders.ConfirmPurchases())
		if clock := b.SellerClock(); clock != nil {
			b.RPC(ordersv1connect.NewClockHandler(intake.Clock{Clock: clock}, b.RPCOptions()))
		}
		b.Gauges(store.Gauges()...)
		return nil
	})
}
