// Command orders runs the orders service: orders serve, orders migrate, orders distribute, orders version.
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
	}{service.NewCommand(orders.Run), orders.Schema.Commands()})
}
