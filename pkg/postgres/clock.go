package postgres

import (
	"context"
	"embed"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// ownFiles are the statements of this package.
//
//go:embed queries/*.sql
var ownFiles embed.FS

var own = MustLoadQueries(ownFiles)

// TickSellers advances the clocks of the sellers and returns the new time of
// each, in UTC with microseconds. The times of a seller are strictly increasing
// in the order of commit; see the package comment for why lists need this.
//
// Call it once per transaction, with all sellers whose records change, after all
// other waiting is done: each seller's other writers wait from here until the
// commit. Write the times into the changed rows and commit. The sellers are
// locked in sorted order, so that transactions with several sellers cannot
// deadlock. The table, and the functions that tell the time of a seller and the
// next one, are made by the service's migrations:
//
//	create table seller_clock (seller_id uuid primary key, last timestamptz not null);
//	create function seller_now(seller_id uuid) returns timestamptz …
//	create function clock_after(last timestamptz, at timestamptz) returns timestamptz …
func TickSellers(ctx context.Context, tx pgx.Tx, sellers []uuid.UUID) (map[uuid.UUID]time.Time, error) {
	times := make(map[uuid.UUID]time.Time, len(sellers))
	if len(sellers) == 0 {
		return times, nil
	}
	began := time.Now()
	defer func() { ticked(tx, time.Since(began), sellers, times) }()
	rows, _ := tx.Query(ctx, own.SQL("TickSellers"), sellers)
	var seller uuid.UUID
	var last time.Time
	_, err := pgx.ForEachRow(rows, []any{&seller, &last}, func() error {
		times[seller] = last.UTC()
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("tick sellers: %w", err)
	}
	return times, nil
}

// TickSeller is TickSellers for one seller.
func TickSeller(ctx context.Context, tx pgx.Tx, seller uuid.UUID) (time.Time, error) {
	times, err := TickSellers(ctx, tx, []uuid.UUID{seller})
	return times[seller], err
}
