// Command orders runs the orders service: orders serve, orders migrate, orders version.
package main

import (
	"context"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/orders"
)

func main() {
	service.Main("orders", &struct {
		Serve   service.Command[orders.Config]   `cmd:"" help:"Serve until told to stop."`
		Migrate service.Command[postgres.Config] `cmd:"" help:"Bring the schema up to date."`
	}{service.NewCommand(orders.Run), service.NewCommand(migrate)})
}

// migrate needs the database alone, so that a migration job holds no other secret.
func migrate(ctx context.Context, config postgres.Config) error {
	return orders.Migrate(ctx, orders.Config{Postgres: config})
}
