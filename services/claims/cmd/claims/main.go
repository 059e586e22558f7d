// Command claims runs the claims service: claims serve, claims migrate, claims distribute, claims size,
// claims bring-back, claims version.
package main

import (
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distribute"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/claims"
)

func main() {
	service.RelaxCollector()
	// A migration only needs the database, so its job gets no other secret.
	service.Main("claims", &struct {
		Serve      service.Command[claims.Config]     `cmd:"" help:"Run the service."`
		Migrate    service.Command[postgres.Config]   `cmd:"" help:"Migrate the schema."`
		Distribute service.Command[distribute.Config] `cmd:"" help:"Distribute the tables over the nodes of a distributed database."`
		Size       service.SizeCommand                `cmd:"" help:"Print the size of the schema, its growth, and when the database will be full."`
		BringBack  service.BringBackCommand           `cmd:"" help:"Restore archived claims to the list, with the current time as their last change."`
	}{
		service.NewCommand(claims.Run), service.NewCommand(claims.Migrate), service.NewCommand(claims.Distribute),
		claims.NewSizeCommand(), claims.NewBringBackCommand(),
	})
}
