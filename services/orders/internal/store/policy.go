package store

import (
	"context"
	"errors"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// MayCorrect reports whether a seller may correct parcels, as the caller's transaction sees it.
func (s *Store) MayCorrect(ctx context.Context, tx postgres.Tx, seller uuid.UUID) (may bool, err error) {
	err = postgres.Statements(tx).QueryRow(ctx, queries.SQL("MayCorrect"), seller).Scan(&may)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return may, postgres.Wrap("read seller's policy", err)
}

// SetPolicy sets what a seller may do.
func (s *Store) SetPolicy(ctx context.Context, seller uuid.UUID, policy order.Policy) error {
	_, err := postgres.OfSeller(s.pool, seller).Exec(ctx, queries.SQL("PutPolicy"), seller, policy.ShipmentCorrection)
	return postgres.Wrap("set seller's policy", postgres.Classify(err))
}
