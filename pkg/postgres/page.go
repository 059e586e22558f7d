package postgres

import (
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/pkg/paging"
)

// PageStart returns the position after which a page of a list starts, newest
// change first: the last row of the previous page, and for the first page the
// bound on updated_at, or infinity if there is none. A statement that always has
// a position has one plan, in the order of the index. A bound as a separate
// condition would be checked only after the index scan had started at infinity
// and skipped everything newer.
func PageStart(after *paging.Position, until *time.Time) (pgtype.Timestamptz, uuid.UUID) {
	switch {
	case after != nil:
		return pgtype.Timestamptz{Time: after.UpdatedAt, Valid: true}, after.ID
	case until != nil:
		return pgtype.Timestamptz{Time: *until, Valid: true}, uuid.Max
	default:
		return pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}, uuid.Max
	}
}
