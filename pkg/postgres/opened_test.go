package postgres_test

import (
	"context"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry"
)

// openOf are the values of the metric by seller.
func openOf(t *testing.T, tel *telemetry.Telemetry) map[string]float64 {
	t.Helper()
	families, err := tel.Registry.Gather()
	require.NoError(t, err)
	all := map[string]float64{}
	for _, family := range families {
		if family.GetName() != telemetry.SellerTransactions.Name {
			continue
		}
		for _, metric := range family.GetMetric() {
			all[metric.GetLabel()[0].GetValue()] = metric.GetGauge().GetValue()
		}
	}
	return all
}

// A seller whose changes queue is named with their number; readers are no queue, and what has ended, well or not, is forgotten.
func TestOpenTransactions_bySeller(t *testing.T) {
	t.Parallel()
	tel := telemetry.Discard(t)
	pool := pgtest.New(t, migrations()).Open(t, tel)
	hot, reader := uuid.New(), uuid.New()
	within := func(db postgres.Beginner, do func()) {
		err := postgres.InTx(t.Context(), db, func(context.Context, pgx.Tx) error { do(); return context.Canceled })
		require.ErrorIs(t, err, context.Canceled)
	}
	within(postgres.OfSeller(pool, hot), func() {
		within(postgres.OfSeller(pool, hot), func() {
			within(postgres.AllSellers(pool), func() {
				require.NoError(t, postgres.InSnapshot(t.Context(), postgres.OfSeller(pool, reader), func(context.Context, pgx.Tx) error {
					require.Equal(t, map[string]float64{hot.String(): 2}, openOf(t, tel))
					return nil
				}))
			})
		})
	})
	require.Empty(t, openOf(t, tel))
}

// The database of a test is on the same machine, so its clock is ours; a probe that took long is no skew.
func TestCheck_clockOfDatabase(t *testing.T) {
	t.Parallel()
	tel := telemetry.Discard(t)
	pool := pgtest.New(t, migrations()).Open(t, tel)
	require.NoError(t, postgres.Check(pool)(t.Context()))
	require.InDelta(t, 0, testutil.ToFloat64(tel.Gauge(telemetry.ClockSkew)), .01)
}
