package store

import (
	"context"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/claims/internal/claim"
)

// History returns what happened to a claim of the seller. CLAIM_NOT_FOUND.
func (s *Store) History(ctx context.Context, seller uuid.UUID, no string) (claim.History, error) {
	history := claim.History{No: no}
	rows, _ := postgres.OfSeller(s.pool, seller).Query(ctx, queries.SQL("ClaimHistory"), seller, no)
	var e claim.Event
	columns := []any{
		&history.OrderNo, &e.At, &e.Kind, &e.By, &e.KeyPrefix, &e.Status, &e.Parcel, &e.Carrier, &e.TrackingNo, &e.Refund,
		&e.RefundStatus, &e.Amount,
	}
	_, err := pgx.ForEachRow(rows, columns, func() error {
		history.Events = append(history.Events, e)
		return nil
	})
	switch {
	case err != nil:
		return history, postgres.Wrap("read history", postgres.Classify(err))
	case len(history.Events) == 0: // a claim has entered its first state
		return history, apierr.ClaimNotFound
	}
	return history, nil
}
