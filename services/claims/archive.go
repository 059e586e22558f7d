package claims

import (
	"context"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/claims/internal/store"
)

// NewBringBackCommand returns the command that restores claims from the archive by their numbers.
func NewBringBackCommand() service.BringBackCommand {
	return service.NewBringBackCommand(schema, store.Settings(),
		func(ctx context.Context, pool *postgres.Pool, number string) (bool, error) {
			return store.New(pool).BringBack(ctx, number)
		})
}
