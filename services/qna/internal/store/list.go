package store

import (
	"context"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// List returns at most limit of the seller's inquiries that match the filter, newest change first, starting after the given
// position, or with the newest if it is nil.
func (s *Store) List(ctx context.Context, seller uuid.UUID, filter inquiry.Filter, after *paging.Position,
	limit int,
) (paging.Page[inquiry.Inquiry], error) {
	statement, args := listStatement(seller, filter, after, limit+1)
	inquiries, err := postgres.Page(ctx, s.pool, seller, func(ctx context.Context, db postgres.Querier) ([]inquiry.Inquiry, error) {
		return postgres.Collect(ctx, db, scanInquiry, statement, args...)
	})
	return paging.Cut(inquiries, limit, positionOf), postgres.Classify(postgres.Wrap("list inquiries", err))
}

func positionOf(i *inquiry.Inquiry) paging.Position {
	return paging.Position{UpdatedAt: i.UpdatedAt, ID: i.QnaID}
}

// stateConditions has the states as literals and not as parameters, because the planner can use the partial index of a state
// only for a literal.
var stateConditions = map[inquiry.Status]string{
	inquiry.Waiting:  "and i.status = 'waiting'",
	inquiry.Answered: "and i.status = 'answered'",
}

// listStatement returns the statement with the conditions that are set, and its arguments.
func listStatement(seller uuid.UUID, filter inquiry.Filter, after *paging.Position, rows int) (string, []any) {
	afterTime, afterID := postgres.PageStart(after, filter.Updated.Until)
	conditions := postgres.NewFilter(seller, rows)
	conditions.Add("and (i.updated_at, i.qna_id) < ({}, {})", afterTime, afterID)
	if filter.Status != "" {
		conditions.Add(stateConditions[filter.Status])
	}
	postgres.AddPresent(conditions, "and i.updated_at >= ", filter.Updated.From)
	return conditions.Insert(newestFirst), conditions.Args()
}
