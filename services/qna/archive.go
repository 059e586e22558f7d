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

// NewBringBackCommand returns the command that restores inquiries from the archive by id.
func NewBringBackCommand() service.BringBackCommand {
	return service.NewBringBackCommand(string(operation.QnA), store.Settings(),
		func(ctx context.Context, pool *postgres.Pool, number string) (bool, error) {
			id, err := uuid.Parse(number)
			if err != nil {
				return false, fmt.Errorf("not the ID of an inquiry: %w", err)
			}
			return store.New(pool).BringBack(ctx, id)
		})
}
