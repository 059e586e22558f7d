package store

import (
	"context"
	"errors"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/claims/internal/claim"
)

// Policy returns a seller's charges; the default if none are set.
func (s *Store) Policy(ctx context.Context, seller uuid.UUID) (claim.Policy, error) {
	policy, err := findPolicy(ctx, postgres.OfSeller(s.pool, seller), seller)
	return policy, postgres.Classify(err)
}

// SetPolicy sets a seller's charges for future claims.
func (s *Store) SetPolicy(ctx context.Context, seller uuid.UUID, policy claim.Policy) error {
	_, err := postgres.OfSeller(s.pool, seller).Exec(ctx, queries.SQL("PutPolicy"), seller, policy.FeeOneWay)
	return postgres.Classify(postgres.Wrap("set policy", err))
}

// findCharges returns a seller's charges for a new claim of a part of an order. The caller must hold the seller's clock, so that
// no other claim can begin.
func findCharges(ctx context.Context, db reader, seller uuid.UUID, orderNo string) (claim.Policy, error) {
	policy, err := findPolicy(ctx, db, seller)
	if err != nil {
		return claim.Policy{}, err
	}
	err = db.QueryRow(ctx, queries.SQL("IsWayOutCharged"), seller, orderNo).Scan(&policy.WayOutCharged)
	return policy, postgres.Wrap("find out whether the outbound shipping is charged", err)
}

func findPolicy(ctx context.Context, db reader, seller uuid.UUID) (claim.Policy, error) {
	var policy claim.Policy
	err := db.QueryRow(ctx, queries.SQL("FindPolicy"), seller).Scan(&policy.FeeOneWay)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return claim.DefaultPolicy(), nil
	case err != nil:
		return claim.Policy{}, fmt.Errorf("find policy: %w", err)
	}
	return policy, nil
}
