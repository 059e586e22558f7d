package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// List returns at most limit of the seller's inquiries that the filter wants, newest change first, beginning after the
// given position or, when it is nil, with the newest.
func (s *Store) List(ctx context.Context, seller uuid.UUID, filter inquiry.Filter, after *paging.Position, limit int) (paging.Page[inquiry.Inquiry], error) {
	statement, args := listStatement(seller, filter, after, limit+1)
	inquiries, err := postgres.Page(ctx, s.pool, seller, func(ctx context.Context, db postgres.Querier) ([]inquiry.Inquiry, error) {
		rows, err := db.Query(ctx, statement, args...)
		if err != nil {
			return nil, err
		}
		return pgx.CollectRows(rows, scanInquiry)
	})
	if err != nil {
		return paging.Page[inquiry.Inquiry]{}, postgres.Classify(fmt.Errorf("list inquiries: %w", err))
	}
	return paging.Cut(inquiries, limit), nil
}

// stateConditions hold the states as text of the statement and not as values: only a statement that names the state can be
// served by the index of that state.
var stateConditions = map[inquiry.Status]string{
	inquiry.Waiting:  "and i.status = 'waiting'",
	inquiry.Answered: "and i.status = 'answered'",
}

// listStatement is the statement with the conditions that are set, and its arguments.
func listStatement(seller uuid.UUID, filter inquiry.Filter, after *paging.Position, rows int) (string, []any) {
	afterTime, afterID := postgres.PageStart(after, filter.Updated.Until)
	conditions := postgres.NewFilter(seller, rows, afterTime, afterID)
	if filter.Status != "" {
		conditions.Add(stateConditions[filter.Status])
	}
	postgres.AddPresent(conditions, "and i.updated_at >= ", filter.Updated.From)
	return conditions.Insert(queries.SQL("ListInquiries")), conditions.Args()
}
