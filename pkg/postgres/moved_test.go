package postgres_test

import (
	"context"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

const week = 7 * 24 * time.Hour

func movable(t *testing.T) *pgtest.DB {
	t.Helper()
	db := pgtest.New(t, migrations())
	require.NoError(t, postgres.MakeClocksMovable(t.Context(), db.Config, db.Schema))
	return db
}

func move(ctx context.Context, db *pgtest.DB, seller uuid.UUID, from *time.Duration, by time.Duration) (
	moved postgres.ClockMove, err error,
) {
	err = postgres.InTx(ctx, postgres.OfSeller(db.Pool, seller), func(ctx context.Context, tx pgx.Tx) (err error) {
		moved, err = postgres.MoveSellerClock(ctx, tx, seller, from, by)
		return err
	})
	return moved, err
}

// ahead returns how far a seller's clock is ahead of the wall clock, to a minute.
func ahead(t *testing.T, db *pgtest.DB, seller uuid.UUID) time.Duration {
	t.Helper()
	now, err := postgres.SellerNow(t.Context(), postgres.OfSeller(db.Pool, seller), seller)
	require.NoError(t, err)
	return time.Until(now).Round(time.Minute)
}

// A live environment must never run with the database of a test environment, whose sellers' clocks are ahead, or can be.
func TestCheck_movedClocks(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		setUp   string
		movable bool
		wanted  error
	}{
		"plain":   {},
		"movable": {movable: true, wanted: postgres.ErrMovedClocks},
		"moved":   {setUp: "insert into seller_offsets values (gen_random_uuid(), '1 day')", wanted: postgres.ErrMovedClocks},
		"another function": {setUp: "create or replace function seller_now(seller_id uuid) returns timestamptz language sql " +
			"return now()", wanted: postgres.ErrMovedClocks},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := pgtest.New(t, migrations())
			if c.movable {
				require.NoError(t, postgres.MakeClocksMovable(t.Context(), db.Config, db.Schema))
			}
			if c.setUp != "" {
				execute(t, db.Pool, c.setUp)
			}
			require.NoError(t, postgres.Check(db.Pool)(t.Context()), "a test environment takes every database")
			live := db.Open(t, telemetrytest.Discard(t))
			live.RequirePlainClocks()
			require.ErrorIs(t, postgres.Check(live)(t.Context()), c.wanted)
			require.ErrorIs(t, postgres.Check(live)(t.Context()), c.wanted, "checked again")
		})
	}
}

// A clock moves forward, by what was asked for, and no other seller's does. A repeated call, which names where it counts from,
// moves it once.
func TestMoveSellerClock(t *testing.T) {
	t.Parallel()
	db, seller, other := movable(t), uuid.New(), uuid.New()
	require.NoError(t, postgres.MakeClocksMovable(t.Context(), db.Config, db.Schema), "with every migration again")
	require.Zero(t, ahead(t, db, seller))
	for _, step := range []struct {
		from   *time.Duration
		by     time.Duration
		wanted time.Duration
	}{
		{nil, 0, 0},
		{nil, week, week},
		{nil, week, 2 * week},
		{new(2 * week), week, 3 * week},
		{new(2 * week), week, 3 * week},
		{new(time.Duration), week, 3 * week},
		{nil, 0, 3 * week},
	} {
		moved, err := move(t.Context(), db, seller, step.from, step.by)
		require.NoError(t, err)
		require.Equal(t, step.wanted, moved.After)
		require.Equal(t, step.wanted, ahead(t, db, seller))
	}
	require.Zero(t, ahead(t, db, other))
	require.Zero(t, ahead(t, db, uuid.Nil))
	_, err := move(t.Context(), db, seller, nil, postgres.MaxOffset)
	require.ErrorIs(t, err, postgres.ErrTooFarAhead)
	moved, err := postgres.MovedSellers(t.Context(), db.Pool, 10)
	require.NoError(t, err)
	require.Equal(t, []uuid.UUID{seller}, moved)
}

// Where nobody may move clocks, a call that would does nothing.
func TestMoveSellerClock_fixed(t *testing.T) {
	t.Parallel()
	db, seller := pgtest.New(t, migrations()), uuid.New()
	_, err := move(t.Context(), db, seller, nil, week)
	require.ErrorIs(t, err, postgres.ErrFixedClocks)
	require.Zero(t, ahead(t, db, seller))
}

// The times of a seller's changes increase in the order of commits while the clock moves: a poller misses no change.
func TestMoveSellerClock_amongWriters(t *testing.T) {
	t.Parallel()
	db, seller := movable(t), uuid.New()
	execute(t, db.Pool, "create table stamps (at timestamptz not null, n bigint generated always as identity)")
	var writers sync.WaitGroup
	for range 4 {
		writers.Go(func() {
			for range 25 {
				err := postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
					at, err := postgres.TickSeller(ctx, tx, seller)
					if err != nil {
						return err
					}
					_, err = tx.Exec(ctx, "insert into stamps (at) values ($1)", at) // numbered under the lock of the clock
					return err
				})
				if err == nil && rand.N(5) == 0 {
					_, err = move(t.Context(), db, seller, nil, time.Hour)
				}
				if err != nil {
					t.Error(err)
				}
			}
		})
	}
	writers.Wait()
	require.Zero(t, one[int](t, db.Pool, `select count(*) from (select at, lag(at) over (order by n) as before from stamps) s
		where at <= before`))
	require.Equal(t, 100, one[int](t, db.Pool, "select count(*) from stamps"))
}

// A clock that was not moved is the wall clock, whatever function tells it.
func TestSellerNow_unmoved(t *testing.T) {
	t.Parallel()
	for name, db := range map[string]*pgtest.DB{"plain": pgtest.New(t, migrations()), "movable": movable(t)} {
		for range 50 {
			seller := uuid.New()
			var before, now, after time.Time
			row := db.Pool.QueryRow(t.Context(), "select clock_timestamp(), seller_now($1), clock_timestamp()", seller)
			require.NoError(t, row.Scan(&before, &now, &after))
			require.False(t, now.Before(before) || now.After(after), name)
		}
	}
}
