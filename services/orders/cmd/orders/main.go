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
	// A migration needs only the database, so that its job has no other secrets.
	service.Main("orders", &struct {
		Serve      service.Command[orders.Config]     `cmd:"" help:"Serve until told to stop."`
		Migrate    service.Command[postgres.Config]   `cmd:"" help:"Bring the schema up to date."`
		Distribute service.Command[distribute.Config] `cmd:"" help:"Spread the tables over the nodes of a distributed database."`
		Size       service.SizeCommand                `cmd:"" help:"Print how large the schema is, how fast it grows, and when the database is full."`
		BringBack  service.BringBackCommand           `cmd:"" help:"Bring archived orders back into the lists, as changed now."`
	}{
		service.NewCommand(orders.Run), service.NewCommand(orders.Migrate), service.NewCommand(orders.Distribute),
		orders.NewSizeCommand(), orders.NewBringBackCommand(),
	})
}
