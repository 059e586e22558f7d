package store

import (
	"context"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// The statement of the list in both orders. The same indexes serve both.
var (
	newestFirst = postgres.Fill(queries.SQL("ListInquiries"), "order", "desc")
	oldestFirst = postgres.Named("ForwardInquiries", postgres.Fill(queries.Text("ListInquiries"), "order", "asc"))
)

// Forward returns at most limit of the seller's inquiries that changed after the position, in the order of their changes.
func (s *Store) Forward(ctx context.Context, seller uuid.UUID, after paging.Position,
	limit int,
) (paging.ForwardPage[inquiry.Inquiry], error) {
	statement, args := forwardStatement(seller, after, limit+1)
	read := func(ctx context.Context, db postgres.Querier) ([]inquiry.Inquiry, error) {
		return postgres.Collect(ctx, db, scanInquiry, statement, args...)
	}
	inquiries, clock, err := postgres.PageForward(ctx, s.pool, seller, read)
	return paging.CutForward(inquiries, limit, after, clock, positionOf),
		postgres.Classify(postgres.Wrap("list inquiries forwards", err))
}

func forwardStatement(seller uuid.UUID, after paging.Position, rows int) (string, []any) {
	conditions := postgres.NewFilter(seller, rows)
	conditions.Add("and (i.updated_at, i.qna_id) > ({}, {})", after.UpdatedAt, after.ID)
	return conditions.Insert(oldestFirst), conditions.Args()
}
