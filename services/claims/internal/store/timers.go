package store

import (
	"context"
	"time"

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
	return due[DueClaim](ctx, postgres.AllSellers(s.pool), "DueInspections", limit)
}

// DueInspectionsOf is DueInspections of one seller at a time of that seller.
func (s *Store) DueInspectionsOf(ctx context.Context, seller uuid.UUID, now time.Time, limit int) ([]DueClaim, error) {
	return due[DueClaim](ctx, postgres.OfSeller(s.pool, seller), "DueInspectionsOf", seller, now, limit)
}

// DuePayments returns at most limit claims whose shortfall payment is overdue.
func (s *Store) DuePayments(ctx context.Context, limit int) ([]DueClaim, error) {
	return due[DueClaim](ctx, postgres.AllSellers(s.pool), "DuePayments", limit)
}

// DuePaymentsOf is DuePayments of one seller at a time of that seller.
func (s *Store) DuePaymentsOf(ctx context.Context, seller uuid.UUID, now time.Time, limit int) ([]DueClaim, error) {
	return due[DueClaim](ctx, postgres.OfSeller(s.pool, seller), "DuePaymentsOf", seller, now, limit)
}

// DueRefunds returns at most limit refunds that are due to be requested, longest waiting first.
func (s *Store) DueRefunds(ctx context.Context, limit int) ([]DueRefund, error) {
	return due[DueRefund](ctx, postgres.AllSellers(s.pool), "DueRefunds", limit, HeadStart)
}

// DueRefundsOf is DueRefunds of one seller at a time of that seller.
func (s *Store) DueRefundsOf(ctx context.Context, seller uuid.UUID, now time.Time, limit int) ([]DueRefund, error) {
	return due[DueRefund](ctx, postgres.OfSeller(s.pool, seller), "DueRefundsOf", seller, now, limit, HeadStart)
}

func due[T any](ctx context.Context, db postgres.Querier, query string, args ...any) ([]T, error) {
	found, err := postgres.Collect(ctx, db, pgx.RowToStructByPos[T], queries.SQL(query), args...)
	return found, postgres.Classify(postgres.Wrap("find due timers", err))
}
