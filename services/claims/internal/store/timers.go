package store

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
)

// DueClaim is a claim whose inspection or payment is due.
type DueClaim struct {
	SellerID uuid.UUID
	ClaimNo  string
}

// DueRefund is a refund that is due to be requested from the provider.
type DueRefund struct {
	SellerID uuid.UUID
	ClaimNo  string
	ID       uuid.UUID
}

// DueInspections returns at most limit returns whose inspection is overdue.
func (s *Store) DueInspections(ctx context.Context, limit int) ([]DueClaim, error) {
	return due[DueClaim](ctx, s, "DueInspections", limit)
}

// DuePayments returns at most limit claims whose shortfall payment is overdue.
func (s *Store) DuePayments(ctx context.Context, limit int) ([]DueClaim, error) {
	return due[DueClaim](ctx, s, "DuePayments", limit)
}

// DueRefunds returns at most limit refunds that are due to be requested, longest waiting first.
func (s *Store) DueRefunds(ctx context.Context, limit int) ([]DueRefund, error) {
	return due[DueRefund](ctx, s, "DueRefunds", limit, HeadStart)
}

func due[T any](ctx context.Context, s *Store, query string, args ...any) ([]T, error) {
	found, err := postgres.Collect(ctx, postgres.AllSellers(s.pool), pgx.RowToStructByPos[T], queries.SQL(query), args...)
	return found, postgres.Classify(postgres.Wrap("find due timers", err))
}
