// Package orders is the service that owns orders, their items, parcels and history: it answers the public operations on
// orders, which reach it through the gateway, and takes orders in from the marketplace core. README.md says where to look.
package orders

import (
	"context"
	"os"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distribute"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/orders/internal/intake"
	"sellerapi.dev/services/orders/internal/lines"
	"sellerapi.dev/services/orders/internal/rest"
	"sellerapi.dev/services/orders/internal/store"
)

// Run serves until ctx ends. An error says why the service could not start or had to end.
func Run(ctx context.Context, config Config) error {
	config.Postgres.Settings = store.Settings()
	return service.RunBackend(ctx, operation.Orders, &config, func(b *service.Backend) error {
		orders := store.New(b.Pool, config.terms())
		api := rest.API{
			Orders: orders, Cursors: b.Cursors, Box: b.Box, Logger: b.Telemetry.Logger, BatchWorkers: config.batchWorkers(),
		}
		b.Operations(api.Handlers())
		b.RPC(ordersv1connect.NewIntakeHandler(&intake.Service{Orders: orders}, b.RPCOptions()))
		b.RPC(ordersv1connect.NewClaimLinesHandler(&lines.Service{Holds: orders}, b.RPCOptions()))
		b.Sweep(orders.ConfirmPurchases())
		if config.ArchiveAfter > 0 {
			b.Sweep(orders.ArchiveEnded(config.ArchiveAfter))
		}
		b.Gauges(store.Gauges()...)
		return nil
	})
}

// Migrate makes the service's schema and brings it up to date. Any number of replicas may call it at once.
func Migrate(ctx context.Context, config postgres.Config) error {
	return postgres.Migrate(ctx, config, string(operation.Orders), store.Migrations())
}

// Distribute spreads the tables of the service's schema over the nodes of a distributed database, and says what it does.
func Distribute(ctx context.Context, config distribute.Config) error {
	return distribute.Run(ctx, config, string(operation.Orders), os.Stdout)
}
