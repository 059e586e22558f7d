package postgres_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry"
)

// A seller whose changes queue is named, with how many wait, and is not once they are through.
func TestClockWaiters_hotSeller(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, migrations())
	tel := telemetry.Discard(t)
	waiters, err := postgres.NewClockWaiters(tel)
	require.NoError(t, err)
	looking := db.Open(t, telemetry.Discard(t)) // those that wait have all connections of the other
	hot, calm := uuid.New(), uuid.New()
	tick(t, db.Pool, hot, calm)
	var queue errgroup.Group
	require.NoError(t, postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
		_, err := postgres.TickSellers(ctx, tx, []uuid.UUID{hot, calm})
		require.NoError(t, err)
		for range 2 {
			queue.Go(func() error {
				return postgres.InTx(t.Context(), db.Pool, func(ctx context.Context, tx pgx.Tx) error {
					_, err := postgres.TickSellers(ctx, tx, []uuid.UUID{hot})
					return err
				})
			})
		}
		soon(t, func() bool {
			require.NoError(t, waiters.Look(t.Context(), looking))
			return shown(t, tel)[hot.String()] == 2
		}, "two wait")
		require.NotContains(t, shown(t, tel), calm.String())
		return nil
	}))
	require.NoError(t, queue.Wait())
	require.NoError(t, waiters.Look(t.Context(), looking))
	require.Empty(t, shown(t, tel))
}

// shown are the values of the metric by seller.
func shown(t *testing.T, tel *telemetry.Telemetry) map[string]float64 {
	t.Helper()
	families, err := tel.Registry.Gather()
	require.NoError(t, err)
	all := map[string]float64{}
	for _, family := range families {
		if family.GetName() != telemetry.SellerClockWaiters.Name {
			continue
		}
		for _, metric := range family.GetMetric() {
			all[metric.GetLabel()[0].GetValue()] = metric.GetGauge().GetValue()
		}
	}
	return all
}

// The database of a test is on the same machine, so its clock is ours; a probe that took long is no skew.
func TestCheck_clockOfDatabase(t *testing.T) {
	t.Parallel()
	tel := telemetry.Discard(t)
	pool := pgtest.New(t, migrations()).Open(t, tel)
	require.NoError(t, postgres.Check(pool)(t.Context()))
	require.InDelta(t, 0, testutil.ToFloat64(tel.Gauge(telemetry.ClockSkew)), .01)
}
