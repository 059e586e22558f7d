package postgres

import (
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/pkg/paging"
)

// PageStart is the position behind which a page of a list begins, newest change
// first: the last row of the page before, and for the first page the bound on
// updated_at, or infinity where there is none. A statement that always has a
// position has one plan, in the order of the index. And as a condition of its own
// the bound would be checked only after the index scan had begun at infinity and
// passed over everything newer.
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
