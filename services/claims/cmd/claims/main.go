// Command claims runs the claims service: claims serve, claims migrate, claims distribute, claims version.
package main

import (
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/claims"
)

func main() {
	service.RelaxCollector()
	// A migration only needs the database, so its job gets no other secret.
	service.Main("claims", &struct {
		Serve service.Command[claims.Config] `cmd:"" help:"Run the service."`
		service.SchemaCommands
	}{service.NewCommand(claims.Run), claims.Schema.Commands()})
}
