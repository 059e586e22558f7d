package store

import (
	"context"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/claims/internal/claim"
)

// Changed returns sellers of which claims have changed, as postgres.ChangedSellers does.
func (s *Store) Changed(ctx context.Context, after paging.Position, limit int) ([]postgres.SellerClock, time.Time, error) {
	return postgres.ChangedSellers(ctx, s.pool, after, limit)
}

// RefundsOf returns the refunds of a seller's claims, by the numbers of these.
func (s *Store) RefundsOf(ctx context.Context, seller uuid.UUID, numbers []string) (map[string][]claim.Refund, error) {
	db := postgres.OfSeller(s.pool, seller)
	refunds, err := postgres.Collect(ctx, db, scanRefund, queries.SQL("RefundsOfClaims"), seller, numbers)
	of := make(map[string][]claim.Refund, len(numbers))
	for _, refund := range refunds {
		of[refund.ClaimNo] = append(of[refund.ClaimNo], refund)
	}
	return of, postgres.Classify(postgres.Wrap("read the refunds of claims", err))
}
