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

// Only writing transactions of one seller are counted: readers do not queue.
func TestOpenTransactions_ofWriters(t *testing.T) {
	t.Parallel()
	tel := telemetry.Discard(t)
	pool := pgtest.New(t, migrations()).Open(t, tel)
	writer, reader := uuid.New(), uuid.New()
	nothing := func(context.Context, pgx.Tx) error { return context.Canceled }
	require.ErrorIs(t, postgres.InTx(t.Context(), postgres.OfSeller(pool, writer), nothing), context.Canceled)
	require.ErrorIs(t, postgres.InTx(t.Context(), postgres.AllSellers(pool), nothing), context.Canceled)
	require.ErrorIs(t, postgres.InSnapshot(t.Context(), postgres.OfSeller(pool, reader), nothing), context.Canceled)
	families, err := tel.Registry.Gather()
	require.NoError(t, err)
	for _, family := range families {
		if family.GetName() == telemetry.SellerTransactions.Name {
			require.Len(t, family.GetMetric(), 1)
			require.Equal(t, writer.String(), family.GetMetric()[0].GetLabel()[0].GetValue())
			return
		}
	}
	require.Fail(t, "no metric")
}

// The database of a test is on the same machine and has the same clock; a slow probe is not skew.
func TestCheck_clockOfDatabase(t *testing.T) {
	t.Parallel()
	tel := telemetry.Discard(t)
	pool := pgtest.New(t, migrations()).Open(t, tel)
	require.NoError(t, postgres.Check(pool)(t.Context()))
	require.InDelta(t, 0, testutil.ToFloat64(tel.Gauge(telemetry.ClockSkew)), .01)
}
