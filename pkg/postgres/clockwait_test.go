package postgres_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

func bySeller(t *testing.T, tel *telemetry.Telemetry, metric telemetry.Metric) map[string]float64 {
	t.Helper()
	families, err := tel.Registry.Gather()
	require.NoError(t, err)
	values := map[string]float64{}
	for _, family := range families {
		if family.GetName() == metric.Name {
			for _, series := range family.GetMetric() {
				values[series.GetLabel()[0].GetValue()] = series.GetGauge().GetValue()
			}
		}
	}
	return values
}

// hold runs a number of changes while the clock of a seller is locked, which it is until all of them have waited for the time in
// seconds, as PostgreSQL measures it.
func hold(t *testing.T, db *pgtest.DB, seller uuid.UUID, seconds float64, changes int, change func() error) {
	t.Helper()
	var group errgroup.Group
	require.ErrorIs(t, postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		_, err := postgres.TickSellers(ctx, tx, []uuid.UUID{seller})
		require.NoError(t, err)
		for range changes {
			group.Go(change)
		}
		soon(t, func() bool {
			return one[int](t, db.Pool, `select count(distinct pid) from pg_locks l join pg_stat_activity a using (pid)
				where a.datname = current_database() and clock_timestamp() - l.waitstart > make_interval(secs => $1)`, seconds) == changes
		}, "the changes wait")
		return context.Canceled
	}), context.Canceled)
	require.NoError(t, group.Wait())
}

func change(t *testing.T, db postgres.Beginner, sellers ...uuid.UUID) func() error {
	t.Helper()
	return func() error {
		return postgres.InTx(t.Context(), db, func(ctx context.Context, tx pgx.Tx) error {
			_, err := postgres.TickSellers(ctx, tx, sellers)
			return err
		})
	}
}

// What is reported is the time for which changes waited for the clock of their seller, as PostgreSQL measures it; transactions
// of other sellers, and those that tick no clock, do not count.
func TestClockWait_ofOneSeller(t *testing.T) {
	t.Parallel()
	const changes, seconds = 3, .5
	tel, db := telemetrytest.Discard(t), pgtest.New(t, migrations())
	pool := db.Open(t, tel)
	hot, calm, idle := uuid.New(), uuid.New(), uuid.New()
	changeHot := change(t, postgres.OfSeller(pool, hot), hot)
	require.NoError(t, changeHot(), "the row exists from now on")
	require.NoError(t, change(t, postgres.OfSeller(pool, calm), calm)())
	require.NoError(t, postgres.InTx(t.Context(), postgres.OfSeller(pool, idle), func(ctx context.Context, tx pgx.Tx) error {
		return insert(ctx, tx, 1)
	}))
	hold(t, db, hot, seconds, changes, changeHot)

	wait := bySeller(t, tel, telemetry.SellerClockWait)
	require.Len(t, wait, 2, "%v", wait)
	require.GreaterOrEqual(t, wait[hot.String()], seconds*changes/(changes+1))
	require.Less(t, wait[calm.String()], seconds)
	waiting := bySeller(t, tel, telemetry.SellerClockWaiting)
	require.Greater(t, waiting[hot.String()], waiting[calm.String()])
}

// A wait of several sellers' ticks is that of the seller whose clock is held.
func TestClockWait_ofOneAmongSeveral(t *testing.T) {
	t.Parallel()
	const seconds = .5
	tel, db := telemetrytest.Discard(t), pgtest.New(t, migrations())
	pool := db.Open(t, tel)
	sellers := []uuid.UUID{{1}, {2}, {3}}
	tick(t, db.Pool, sellers...)
	hold(t, db, sellers[1], seconds, 1, change(t, postgres.AllSellers(pool), sellers...))
	wait := bySeller(t, tel, telemetry.SellerClockWait)
	require.GreaterOrEqual(t, wait[sellers[1].String()], seconds)
	require.Less(t, wait[sellers[0].String()], seconds)
	require.Less(t, wait[sellers[2].String()], seconds)
}

const shortWait = 200 * time.Millisecond

// A change that gives up, because the clock is held for longer than the lock timeout, has waited as well.
func TestClockWait_givenUp(t *testing.T) {
	t.Parallel()
	tel := telemetrytest.Discard(t)
	db := with(t, func(c *postgres.Config) { c.LockTimeout = shortWait })
	pool, seller := db.Open(t, tel), uuid.New()
	tick(t, db.Pool, seller)
	require.ErrorIs(t, postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		_, err := postgres.TickSellers(ctx, tx, []uuid.UUID{seller})
		require.NoError(t, err)
		require.Error(t, change(t, postgres.OfSeller(pool, seller), seller)())
		return context.Canceled
	}), context.Canceled)
	require.GreaterOrEqual(t, bySeller(t, tel, telemetry.SellerClockWait)[seller.String()], shortWait.Seconds())
}
