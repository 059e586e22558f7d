package store

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// Changed returns sellers of which inquiries have changed, as postgres.ChangedSellers does.
func (s *Store) Changed(ctx context.Context, after paging.Position, limit int) ([]postgres.SellerClock, time.Time, error) {
	return postgres.ChangedSellers(ctx, s.pool, after, limit)
}

// Find returns one of the seller's inquiries. QNA_NOT_FOUND.
func (s *Store) Find(ctx context.Context, seller, qnaID uuid.UUID) (inquiry.Inquiry, error) {
	rows, _ := postgres.OfSeller(s.pool, seller).Query(ctx, queries.SQL("FindInquiry"), seller, qnaID)
	found, err := pgx.CollectOneRow(rows, scanInquiry)
	return found, postgres.Classify(postgres.WrapRow("find inquiry", err, apierr.QnaNotFound))
}
