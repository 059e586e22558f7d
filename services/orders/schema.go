package orders

import (
	"context"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/store"
)

// Schema is the database schema of the service.
var Schema = service.Schema{
	Name: string(operation.Orders), Migrations: store.Migrations(), Settings: store.Settings(),
	BringBack: func(ctx context.Context, pool *postgres.Pool, number string) (bool, error) {
		return store.New(pool, order.DefaultTerms()).BringBack(ctx, number)
	},
}
