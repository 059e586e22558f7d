// Command orders runs the orders service: orders serve, orders migrate, orders distribute, orders size,
// orders bring-back, orders version.
package main

import (
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/orders"
)

func main() {
	service.RelaxCollector()
	// A migration needs only the database, so that its job has no other secrets.
	service.Main("orders", &struct {
		Serve service.Command[orders.Config] `cmd:"" help:"Run the service."`
		service.SchemaCommands
		BringBack service.BringBackCommand `cmd:"" help:"Restore archived orders to the lists, with the current time as their last change."`
	}{service.NewCommand(orders.Run), orders.Schema.Commands(), orders.Schema.BringBackCommand()})
}
