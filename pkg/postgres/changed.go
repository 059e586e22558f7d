package postgres

import (
	"context"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/paging"
)

// SellerClock is a seller and the time of its latest change.
type SellerClock struct {
	Seller uuid.UUID
	Last   time.Time
}

// ChangedSellers returns at most limit sellers whose clocks are after the position, in the order of the clocks, and the time of
// the database before they were read. The clocks of several sellers do not become visible in their order: one that is missing
// can be earlier than those that are returned.
func ChangedSellers(ctx context.Context, pool *Pool, after paging.Position, limit int) ([]SellerClock, time.Time, error) {
	all := AllSellers(pool)
	var now time.Time
	if err := all.QueryRow(ctx, own.SQL("Now")).Scan(&now); err != nil {
		return nil, time.Time{}, Classify(Wrap("read the time", err))
	}
	clocks, err := Collect(ctx, all, pgx.RowToStructByPos[SellerClock], own.SQL("ChangedSellers"), after.UpdatedAt, after.ID, limit)
	for n := range clocks {
		clocks[n].Last = clocks[n].Last.UTC()
	}
	return clocks, now, Classify(Wrap("find sellers that have changed", err))
}
