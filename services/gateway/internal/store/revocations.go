package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/gateway/internal/apikey"
)

// Unpublished returns revoked keys whose revocation is not certain on every gateway, oldest first, at most a hundred.
func (s *Store) Unpublished(ctx context.Context) ([]apikey.Key, error) {
	keys, err := postgres.Collect(ctx, s.pool, scanKey, queries.SQL("ListUnpublishedRevocations"))
	return keys, postgres.Classify(err)
}

// PublishedWithin returns keys whose revocation became certain within the given age, latest first, at most a thousand.
func (s *Store) PublishedWithin(ctx context.Context, age time.Duration) ([]apikey.Key, error) {
	keys, err := postgres.Collect(ctx, s.pool, scanKey, queries.SQL("ListPublishedRevocations"), age)
	return keys, postgres.Classify(err)
}

// MarkPublished records that a revocation is certain. A repeated call changes nothing.
func (s *Store) MarkPublished(ctx context.Context, seller, key uuid.UUID) error {
	_, err := s.pool.Exec(ctx, queries.SQL("MarkRevocationPublished"), seller, key)
	return postgres.Wrap("mark revocation", postgres.Classify(err))
}
