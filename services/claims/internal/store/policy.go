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

// Policy returns a seller's charges in a currency; the default if none are set.
func (s *Store) Policy(ctx context.Context, seller uuid.UUID, currency string) (claim.Policy, error) {
	policy, err := findPolicy(ctx, postgres.OfSeller(s.pool, seller), seller, currency)
	return policy, postgres.Classify(err)
}

// SetPolicy sets a seller's charges in a currency for future claims.
func (s *Store) SetPolicy(ctx context.Context, seller uuid.UUID, currency string, policy claim.Policy) error {
	_, err := postgres.OfSeller(s.pool, seller).Exec(ctx, queries.SQL("PutPolicy"), seller, currency, policy.FeeOneWay)
	return postgres.Classify(postgres.Wrap("set policy", err))
}

// isWayOutCharged reports whether another claim on a part of an order bears its outbound shipping. The caller must hold the
// seller's clock, so that no other claim can begin.
func isWayOutCharged(ctx context.Context, db reader, seller uuid.UUID, orderNo string) (bool, error) {
	var charged bool
	err := db.QueryRow(ctx, queries.SQL("IsWayOutCharged"), seller, orderNo).Scan(&charged)
	return charged, postgres.Wrap("find out whether the outbound shipping is charged", err)
}

func findPolicy(ctx context.Context, db reader, seller uuid.UUID, currency string) (claim.Policy, error) {
	var policy claim.Policy
	err := db.QueryRow(ctx, queries.SQL("FindPolicy"), seller, currency).Scan(&policy.FeeOneWay)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return claim.DefaultPolicy(currency), nil
	case err != nil:
		return claim.Policy{}, fmt.Errorf("find policy: %w", err)
	}
	return policy, nil
}
