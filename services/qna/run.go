// Package qna is the service that owns product inquiries and their answers. README.md says what it owns and where to look.
package qna

import (
	"context"
	"os"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/distribute"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/qna/internal/intake"
	"sellerapi.dev/services/qna/internal/rest"
	"sellerapi.dev/services/qna/internal/store"
)

// Config is everything that can be set from outside.
type Config struct {
	service.BackendConfig `embed:""`
	service.ArchiveConfig `embed:""`
}

// Run serves until ctx ends. An error says why the service could not start or had to end.
func Run(ctx context.Context, config Config) error {
	config.Postgres.Settings = store.Settings()
	return service.RunBackend(ctx, operation.QnA, &config, func(b *service.Backend) error {
		inquiries := store.New(b.Pool)
		api := rest.API{Inquiries: inquiries, Cursors: b.Cursors, Box: b.Box}
		b.Operations(api.Handlers())
		b.RPC(qnav1connect.NewIntakeHandler(intake.New(inquiries), b.RPCOptions()))
		if config.ArchiveAfter > 0 {
			b.Sweep(inquiries.ArchiveEnded(config.ArchiveAfter))
		}
		return nil
	})
}

// Migrate makes the service's schema and brings it up to date. Any number of replicas may call it at once.
func Migrate(ctx context.Context, config postgres.Config) error {
	return postgres.Migrate(ctx, config, string(operation.QnA), store.Migrations())
}

// Distribute spreads the tables of the service's schema over the nodes of a distributed database, and says what it does.
func Distribute(ctx context.Context, config distribute.Config) error {
	return distribute.Run(ctx, config, string(operation.QnA), os.Stdout)
}
