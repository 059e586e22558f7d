package store

import (
	"context"
	"errors"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/audit"
)

// RegisterSeller registers a seller or updates its name.
func (s *Store) RegisterSeller(ctx context.Context, request apikey.RegisterRequest) error {
	return postgres.InTx(ctx, s.pool, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, queries.SQL("RegisterSeller"), request.SellerID, request.Name); err != nil {
			return err
		}
		return record(ctx, tx, entry{
			author: request.Author, action: audit.Registered, sellerID: &request.SellerID, detail: map[string]any{"name": request.Name},
		})
	})
}

// holdSeller locks the seller's row and returns the database's time after the lock. Error: ErrSellerUnknown.
func holdSeller(ctx context.Context, tx pgx.Tx, sellerID uuid.UUID) (now time.Time, err error) {
	err = tx.QueryRow(ctx, queries.SQL("HoldSeller"), sellerID).Scan(&now)
	if errors.Is(err, pgx.ErrNoRows) {
		return time.Time{}, apikey.ErrSellerUnknown
	}
	return now, err
}
