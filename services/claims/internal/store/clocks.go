package store

import (
	"context"

	"sellerapi.dev/pkg/postgres"
)

// Clocks returns the clocks of sellers as postgres.Clocks does.
func (s *Store) Clocks(ctx context.Context, sellers [][]byte) ([]int64, error) {
	return postgres.Clocks(ctx, s.pool, sellers)
}
