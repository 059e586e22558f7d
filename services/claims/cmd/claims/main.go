// Command claims runs the claims service: claims serve, claims migrate, claims version.
package main

import (
	"context"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/claims"
)

func main() {
	service.Main("claims", &struct {
		Serve   service.Command[claims.Config]   `cmd:"" help:"Serve until told to stop."`
		Migrate service.Command[postgres.Config] `cmd:"" help:"Bring the schema up to date."`
	}{service.NewCommand(claims.Run), service.NewCommand(migrate)})
}

// migrate needs the database alone, so that a migration job holds no other secret.
func migrate(ctx context.Context, config postgres.Config) error {
	return claims.Migrate(ctx, claims.Config{Postgres: config})
}
