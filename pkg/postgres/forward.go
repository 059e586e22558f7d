package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"
)

// PageForward is Page for a list that is read forwards. read runs one statement, in the same round trip as one that reads the
// seller's clock before it, which is returned too: whatever the statement does not see has a later time. The clock is zero if
// nothing of the seller has changed.
func PageForward[T any](ctx context.Context, pool *Pool, seller uuid.UUID, read func(context.Context, Querier) (T, error)) (
	T, time.Time, error,
) {
	var clock pgtype.Timestamptz
	page, err := pageSeeing(ctx, pool, seller, &clock, read)
	return page, clock.Time.UTC(), err
}

// seeing returns the Querier of a page, which reads the clock into seen if that is set.
func (s Scoped) seeing(seller uuid.UUID, seen *pgtype.Timestamptz) Querier {
	if seen == nil {
		return s
	}
	return upTo{of: s, seller: seller, seen: seen}
}
