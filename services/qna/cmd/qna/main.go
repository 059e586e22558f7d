// Command qna runs the qna service: qna serve, qna migrate, qna version.
package main

import (
	"context"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/qna"
)

func main() {
	service.Main("qna", &struct {
		Serve   service.Command[qna.Config]      `cmd:"" help:"Serve until told to stop."`
		Migrate service.Command[postgres.Config] `cmd:"" help:"Bring the schema up to date."`
	}{service.NewCommand(qna.Run), service.NewCommand(migrate)})
}

// migrate needs the database alone, so that a migration job holds no other secret.
func migrate(ctx context.Context, config postgres.Config) error {
	return qna.Migrate(ctx, qna.Config{Postgres: config})
}
