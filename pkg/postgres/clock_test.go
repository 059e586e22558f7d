package postgres_test

import (
	"context"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// tick advances clocks in a transaction of its own.
func tick(t *testing.T, pool *postgres.Pool, sellers ...uuid.UUID) map[uuid.UUID]time.Time {
	t.Helper()
	var times map[uuid.UUID]time.Time
	require.NoError(t, postgres.InTx(t.Context(), pool, func(ctx context.Context, tx pgx.Tx) (err error) {
		times, err = postgres.TickSellers(ctx, tx, sellers)
		return err
	}))
	return times
}

// A tick is the wall clock of the database in UTC with microseconds, and a seller's clock advances
// once per call.
func TestTick_wallClockInUTCMicroseconds(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	a, b := uuid.New(), uuid.New()
	before := one[time.Time](t, db.Pool, "select clock_timestamp()")
	times := tick(t, db.Pool, a, b, a)
	after := one[time.Time](t, db.Pool, "select clock_timestamp()")
	require.Len(t, times, 2, "a seller that is named twice ticks once")
	for _, seller := range []uuid.UUID{a, b} {
		got := times[seller]
		require.Equal(t, time.UTC, got.Location())
		require.Equal(t, got, got.Truncate(time.Microsecond))
		require.True(t, !got.Before(before) && !got.After(after), "%s is not in %s … %s", got, before, after)
		require.Equal(t, got, one[time.Time](t, db.Pool, "select last from seller_clock where seller_id = $1", seller))
	}
	require.Empty(t, tick(t, db.Pool))
}

func TestTick_wallClockSetBack(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	seller := uuid.New()
	future := one[time.Time](t, db.Pool,
		"insert into seller_clock values ($1, clock_timestamp() + interval '1 hour') returning last", seller)
	for range 3 {
		future = future.Add(time.Microsecond)
		require.Equal(t, future, tick(t, db.Pool, seller)[seller])
	}
}

// A tick that was rolled back leaves the clock unchanged.
func TestTick_rolledBackIsNotSeen(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	seller := uuid.New()
	first := tick(t, db.Pool, seller)[seller]
	_ = postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		_, err := postgres.TickSellers(ctx, tx, []uuid.UUID{seller})
		require.NoError(t, err)
		return context.Canceled
	})
	require.Equal(t, first, one[time.Time](t, db.Pool, "select last from seller_clock where seller_id = $1", seller))
}

const (
	writers      = 16
	transactions = 20
	sellersInUse = 5
	// commitTimeout bounds all of them together, on a loaded machine.
	commitTimeout = 5 * time.Minute
)

// The guarantee behind every list: a client that asks for what changed since the largest time it has
// seen misses nothing, however transactions overlap. The writers start without any clock row, so the
// first inserts race as well.
func TestTick_strictPollerWith16Writers(t *testing.T) {
	t.Parallel()
	// Each writer may wait for all others, as long as a loaded machine takes.
	db := with(t, func(c *postgres.Config) {
		c.StatementTimeout, c.LockTimeout, c.IdleInTransactionTimeout = commitTimeout, commitTimeout, commitTimeout
		c.ConnectTimeout = commitTimeout
	})
	pool := db.Open(t, telemetrytest.Discard(t))
	execute(t, pool, `create table records (id bigint generated always as identity primary key, seller_id uuid not null,
		updated_at timestamptz);
		create index on records (seller_id, updated_at)`)
	sellers := make([]uuid.UUID, sellersInUse)
	for i := range sellers {
		sellers[i] = uuid.New()
	}
	ctx, cancel := context.WithTimeout(t.Context(), commitTimeout)
	defer cancel()
	done := make(chan struct{})
	seen := make([][]int64, sellersInUse)
	pollers, ctx := errgroup.WithContext(ctx)
	for i, seller := range sellers {
		pollers.Go(func() (err error) {
			seen[i], err = poll(ctx, pool, seller, done)
			return err
		})
	}
	var runs atomic.Int32
	var group errgroup.Group
	for range writers {
		group.Go(func() error {
			for range transactions {
				if err := write(ctx, pool, pick(sellers), &runs); err != nil {
					return err
				}
			}
			return nil
		})
	}
	require.NoError(t, group.Wait())
	close(done)
	require.NoError(t, pollers.Wait())

	require.Equal(t, int32(writers*transactions), runs.Load(), "no transaction met a deadlock")
	for i, seller := range sellers {
		all := one[[]int64](t, pool, "select array_agg(id order by updated_at) from records where seller_id = $1", seller)
		require.Equal(t, all, seen[i], "in the order of the times, each once")
	}
	require.Zero(t, one[int](t, pool, "select count(*) - count(distinct (seller_id, updated_at)) from records"))
}

func pick(sellers []uuid.UUID) []uuid.UUID {
	picked := make([]uuid.UUID, 0, 3)
	for _, i := range rand.Perm(len(sellers))[:1+rand.IntN(3)] {
		picked = append(picked, sellers[i])
	}
	return picked
}

// write adds a record for each seller, as services do: the rows first, the clock last.
func write(ctx context.Context, pool *postgres.Pool, sellers []uuid.UUID, runs *atomic.Int32) error {
	return postgres.InTx(ctx, pool, func(ctx context.Context, tx pgx.Tx) error {
		runs.Add(1)
		rows := map[uuid.UUID]int64{}
		for _, seller := range sellers {
			id, err := first[int64](ctx, tx, "insert into records (seller_id) values ($1) returning id", seller)
			if err != nil {
				return err
			}
			rows[seller] = id
		}
		times, err := postgres.TickSellers(ctx, tx, sellers)
		if err != nil {
			return err
		}
		for seller, id := range rows {
			if _, err := tx.Exec(ctx, "update records set updated_at = $1 where id = $2", times[seller], id); err != nil {
				return err
			}
		}
		return nil
	})
}

// poll requests records after the largest time seen, until a request after done finds nothing more.
func poll(ctx context.Context, pool *postgres.Pool, seller uuid.UUID, done <-chan struct{}) ([]int64, error) {
	type record struct {
		ID        int64
		UpdatedAt time.Time
	}
	var seen []int64
	var since time.Time
	for last := false; ; {
		select {
		case <-done:
			last = true
		default:
		}
		rows, err := pool.Query(ctx, "select id, updated_at from records where seller_id = $1 and updated_at > $2 order by updated_at",
			seller, since)
		if err != nil {
			return nil, err
		}
		found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[record])
		if err != nil {
			return nil, err
		}
		for _, r := range found {
			seen, since = append(seen, r.ID), r.UpdatedAt
		}
		if last {
			return seen, nil
		}
	}
}
