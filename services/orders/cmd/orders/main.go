// Command orders runs the orders service: orders serve, orders migrate, orders distribute, orders size,
// orders bring-back, orders version.
package main

import (
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distribute"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/orders"
)

func main() {
	service.RelaxCollector()
	// A migration needs only the database, so that its job has no other secrets.
	service.Main("orders", &struct {
		Serve      service.Command[orders.Config]     `cmd:"" help:"Run the service."`
		Migrate    service.Command[postgres.Config]   `cmd:"" help:"Migrate the schema."`
		Distribute service.Command[distribute.Config] `cmd:"" help:"Distribute the tables over the nodes of a distributed database."`
		Size       service.SizeCommand                `cmd:"" help:"Print the size of the schema, its growth, and when the database will be full."`
		BringBack  service.BringBackCommand           `cmd:"" help:"Restore archived orders to the lists, with the current time as their last change."`
	}{
		service.NewCommand(orders.Run), service.NewCommand(orders.Migrate), service.NewCommand(orders.Distribute),
		orders.NewSizeCommand(), orders.NewBringBackCommand(),
	})
}
