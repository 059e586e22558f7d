package orders

import (
	"context"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/store"
)

// NewBringBackCommand returns the command that restores orders from the archive by number.
func NewBringBackCommand() service.BringBackCommand {
	return service.NewBringBackCommand(string(operation.Orders), store.Settings(),
		func(ctx context.Context, pool *postgres.Pool, number string) (bool, error) {
			return store.New(pool, order.DefaultTerms()).BringBack(ctx, number)
		})
}
