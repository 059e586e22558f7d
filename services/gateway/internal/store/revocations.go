package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/gateway/internal/apikey"
)

// Unpublished returns revoked keys whose revocation is not certain on every gateway, oldest first, at most a hundred.
func (s *Store) Unpublished(ctx context.Context) ([]apikey.Key, error) {
	rows, _ := s.pool.Query(ctx, queries.SQL("ListUnpublishedRevocations"))
	keys, err := pgx.CollectRows(rows, scanKey)
	return keys, postgres.Classify(err)
}

// PublishedWithin returns keys whose revocation became certain within the given age, latest first, at most a thousand.
func (s *Store) PublishedWithin(ctx context.Context, age time.Duration) ([]apikey.Key, error) {
	rows, _ := s.pool.Query(ctx, queries.SQL("ListPublishedRevocations"), age)
	keys, err := pgx.CollectRows(rows, scanKey)
	return keys, postgres.Classify(err)
}

// MarkPublished records that a revocation is certain. A repeated call changes nothing.
func (s *Store) MarkPublished(ctx context.Context, seller, key uuid.UUID) error {
	if _, err := s.pool.Exec(ctx, queries.SQL("MarkRevocationPublished"), seller, key); err != nil {
		return fmt.Errorf("mark revocation: %w", postgres.Classify(err))
	}
	return nil
}
