package postgres

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
)

// plainTime is the body of the function seller_now of every live environment.
const plainTime = "RETURN clock_timestamp()"

// MaxOffset is the furthest that a seller's clock can be ahead.
const MaxOffset = 10 * 365 * 24 * time.Hour

var (
	// ErrMovedClocks says that a live environment uses a database of a test environment.
	ErrMovedClocks = errors.New("the clocks of sellers in this database can be moved, or were: it is that of a test environment, " +
		"and a live one needs a database of its own")
	// ErrFixedClocks says that the clocks of the database cannot be moved.
	ErrFixedClocks = errors.New("the clocks of sellers in this database cannot be moved: run migrate with ENVIRONMENT=test, " +
		"on a database of one node")
	// ErrTooFarAhead says that a clock would be further ahead than MaxOffset.
	ErrTooFarAhead = fmt.Errorf("a clock can be at most %d days ahead", MaxOffset/(24*time.Hour))
)

// movedTime makes the function seller_now of a schema add the seller's offset.
const movedTime = `create or replace function %[1]s.seller_now(seller_id uuid) returns timestamptz language plpgsql volatile
as $body$
begin
	return clock_timestamp()
		+ coalesce((select o.ahead from %[1]s.seller_offsets o where o.seller_id = seller_now.seller_id), interval '0');
end
$body$`

// MakeClocksMovable replaces the function that tells the time of a seller by one that adds the seller's offset, for a test
// environment. The schema is migrated. A live environment refuses the database from then on. In a database with the extension
// for several nodes the clocks stay fixed: a statement there cannot read the offsets of several sellers while it writes.
func MakeClocksMovable(ctx context.Context, config Config, schema string) error {
	db, err := openForMigration(config, schema)
	if err != nil {
		return err
	}
	defer func() { _ = db.Close() }()
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return Wrap("make the clocks of sellers movable", err)
	}
	defer func() { _ = tx.Rollback() }()
	// Two replicas that replace a function at the same time would fail.
	if _, err := tx.ExecContext(ctx, "select pg_advisory_xact_lock($1)", lockID(schema)); err != nil {
		return Wrap("make the clocks of sellers movable", err)
	}
	var distributed bool
	row := tx.QueryRowContext(ctx, "select exists (select from pg_extension where extname = 'citus')")
	if err := row.Scan(&distributed); err != nil {
		return Wrap("make the clocks of sellers movable", err)
	}
	if distributed {
		return nil
	}
	if _, err := tx.ExecContext(ctx, fmt.Sprintf(movedTime, pgx.Identifier{schema}.Sanitize())); err != nil {
		return Wrap("make the clocks of sellers movable", err)
	}
	return Wrap("make the clocks of sellers movable", tx.Commit())
}

// RequirePlainClocks makes Check fail with ErrMovedClocks as long as the clocks of sellers can be moved, or were. Call it before
// the pool is checked.
func (p *Pool) RequirePlainClocks() { p.plainClocks = new(atomic.Bool) }

// checkClocks returns ErrMovedClocks unless all clocks of sellers are the wall clock. What it found once holds for the process:
// without the function that adds them, offsets have no effect.
func (p *Pool) checkClocks(ctx context.Context) error {
	if p.plainClocks == nil || p.plainClocks.Load() {
		return nil
	}
	var body string
	if err := p.QueryRow(ctx, own.SQL("TimeFunction")).Scan(&body); err != nil {
		return Classify(err)
	}
	moved, err := MovedSellers(ctx, p, 1)
	switch {
	case err != nil:
		return err
	case body != plainTime || len(moved) > 0:
		return ErrMovedClocks
	}
	p.plainClocks.Store(true)
	return nil
}

// MovedSellers returns at most limit sellers whose clock was moved.
func MovedSellers(ctx context.Context, pool *Pool, limit int) ([]uuid.UUID, error) {
	moved, err := Collect(ctx, AllSellers(pool), pgx.RowTo[uuid.UUID], own.SQL("MovedSellers"), limit)
	return moved, Classify(Wrap("find sellers whose clock was moved", err))
}

// SellerNow returns the time of a seller.
func SellerNow(ctx context.Context, db RowQuerier, seller uuid.UUID) (time.Time, error) {
	var now time.Time
	err := db.QueryRow(ctx, own.SQL("SellerNow"), seller).Scan(&now)
	return now.UTC(), Classify(Wrap("read the time of a seller", err))
}

// SellerTimes returns the earliest and the latest time of some sellers, which differ in a test environment only; that of the
// marketplace if there are none.
func SellerTimes(ctx context.Context, pool *Pool, sellers []uuid.UUID) (earliest, latest time.Time, err error) {
	err = AllSellers(pool).QueryRow(ctx, own.SQL("SellerTimes"), sellers).Scan(&earliest, &latest)
	return earliest.UTC(), latest.UTC(), Classify(Wrap("read the times of sellers", err))
}

// ClockMove is a move of a seller's clock: how far it was ahead of the wall clock before, and is now.
type ClockMove struct{ Before, After time.Duration }

// MoveSellerClock moves the clock of a seller forward, in a transaction in the scope of that seller. It first advances the
// clock that orders the seller's changes, as every change does, so that a change is either before the move or after it. The
// clock is by further ahead afterwards, counted from the offset that the caller knows, or from the present one when that is nil;
// it never goes back. ErrFixedClocks, ErrTooFarAhead.
func MoveSellerClock(ctx context.Context, tx pgx.Tx, seller uuid.UUID, from *time.Duration, by time.Duration) (ClockMove, error) {
	var body string
	if err := tx.QueryRow(ctx, own.SQL("TimeFunction")).Scan(&body); err != nil {
		return ClockMove{}, fmt.Errorf("move a clock: %w", err)
	}
	if body == plainTime {
		return ClockMove{}, ErrFixedClocks
	}
	if _, err := TickSeller(ctx, tx, seller); err != nil {
		return ClockMove{}, err
	}
	var move ClockMove
	if err := tx.QueryRow(ctx, own.SQL("SellerOffset"), seller).Scan(&move.Before); err != nil {
		return ClockMove{}, fmt.Errorf("move a clock: %w", err)
	}
	start := move.Before
	if from != nil {
		start = *from
	}
	if by > MaxOffset || start > MaxOffset-by {
		return ClockMove{}, ErrTooFarAhead
	}
	if move.After = max(move.Before, start+by); move.After == move.Before {
		return move, nil
	}
	_, err := tx.Exec(ctx, own.SQL("MoveSellerClock"), seller, move.After)
	return move, Wrap("move a clock", err)
}
