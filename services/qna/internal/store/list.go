package store

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/qna/internal/inquiry"
)

// Page is a page of the list.
type Page struct {
	Inquiries []inquiry.Inquiry
	// More tells that the list goes on after the last of them.
	More bool
}

// List returns at most limit of the seller's inquiries that the filter wants, newest change first, beginning after the
// given position or, when it is nil, with the newest.
func (s *Store) List(ctx context.Context, seller uuid.UUID, filter inquiry.Filter, after *paging.Position, limit int) (Page, error) {
	statement, args := listStatement(seller, filter, after, limit+1)
	rows, err := s.pool.Query(ctx, statement, args...)
	if err != nil {
		return Page{}, postgres.Classify(fmt.Errorf("list inquiries: %w", err))
	}
	inquiries, err := pgx.CollectRows(rows, scanInquiry)
	if err != nil {
		return Page{}, postgres.Classify(fmt.Errorf("list inquiries: %w", err))
	}
	if len(inquiries) <= limit {
		return Page{Inquiries: inquiries}, nil
	}
	return Page{Inquiries: inquiries[:limit], More: true}, nil
}

// stateConditions hold the states as text of the statement and not as values: only a statement that names the state can be
// served by the index of that state.
var stateConditions = map[inquiry.Status]string{
	inquiry.Waiting:  "and i.status = 'waiting'",
	inquiry.Answered: "and i.status = 'answered'",
}

// listStatement is the statement with the conditions that are set, and its arguments.
func listStatement(seller uuid.UUID, filter inquiry.Filter, after *paging.Position, rows int) (string, []any) {
	afterTime, afterID := position(after, filter.Updated.Until)
	conditions := postgres.NewFilter(seller, rows, afterTime, afterID)
	if filter.Status != "" {
		conditions.Add(stateConditions[filter.Status])
	}
	postgres.AddPresent(conditions, "and i.updated_at >= ", filter.Updated.From)
	return conditions.Insert(queries.SQL("ListInquiries")), conditions.Args()
}

// position is where a page begins: behind what was changed after until, when it is the first, and after infinity without
// that bound. As a condition of its own the bound would be checked only after the index scan had begun at infinity and
// passed over everything newer.
func position(after *paging.Position, until *time.Time) (pgtype.Timestamptz, int64) {
	switch {
	case after != nil:
		return pgtype.Timestamptz{Time: after.UpdatedAt, Valid: true}, after.ID
	case until != nil:
		return pgtype.Timestamptz{Time: *until, Valid: true}, math.MaxInt64
	default:
		return pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}, math.MaxInt64
	}
}
