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
	// A migration only needs the database, so its job gets no other secret.
	service.Main("claims", &struct {
		Serve      service.Command[claims.Config]     `cmd:"" help:"Serve until told to stop."`
		Migrate    service.Command[postgres.Config]   `cmd:"" help:"Bring the schema up to date."`
		Distribute service.Command[distribute.Config] `cmd:"" help:"Spread the tables over the nodes of a distributed database."`
		Size       service.SizeCommand                `cmd:"" help:"Print how large the schema is, how fast it grows, and when the database is full."`
		BringBack  service.BringBackCommand           `cmd:"" help:"Bring archived claims back into the list, as changed now."`
	}{
		service.NewCommand(claims.Run), service.NewCommand(claims.Migrate), service.NewCommand(claims.Distribute),
		claims.NewSizeCommand(), claims.NewBringBackCommand(),
	})
}
