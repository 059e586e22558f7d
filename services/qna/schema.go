package qna

import (
	"context"
	"fmt"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/qna/internal/store"
)

// Schema is the database schema of the service.
var Schema = service.Schema{
	Name: string(operation.QnA), Migrations: store.Migrations(), Settings: store.Settings(),
	BringBack: func(ctx context.Context, pool *postgres.Pool, number string) (bool, error) {
		id, err := uuid.Parse(number)
		if err != nil {
			return false, fmt.Errorf("not the ID of an inquiry: %w", err)
		}
		return store.New(pool).BringBack(ctx, id)
	},
}
