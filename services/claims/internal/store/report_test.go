package store_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

func (b fixture) measure(t *testing.T, tel *telemetry.Telemetry) func(metric telemetry.Metric, labels ...string) float64 {
	t.Helper()
	for _, gauge := range store.Gauges() {
		require.NoError(t, gauge.Set(t.Context(), b.Pool, tel))
	}
	return func(metric telemetry.Metric, labels ...string) float64 {
		return testutil.ToFloat64(prometheus.Collector(tel.Gauge(metric).WithLabelValues(labels...)))
	}
}

// Waiting work is measured by its age, and finished work has none.
func TestGauges_ages(t *testing.T) {
	t.Parallel()
	b, tel := setup(t), telemetrytest.Discard(t)
	c := b.act(t, b.openOne(t, uuid.New(), claim.Cancel), claim.Approve, claim.Values{})
	b.letCome(t)
	value := b.measure(t, tel)
	require.InDelta(t, 60, value(telemetry.SagaOldestPending, "pay-refunds"), 20)
	require.InDelta(t, 60, value(telemetry.SagaOldestPending, "ask-refund"), 20)
	require.Zero(t, value(telemetry.SagaOldestPending, "finish-claim"))
	for _, step := range b.pending(t, c) {
		require.NoError(t, b.store.FinishStep(t.Context(), step))
	}
	require.Zero(t, b.measure(t, tel)(telemetry.SagaOldestPending, "pay-refunds"))
}

// A step name that the table allows but no gauge reports could get stuck unnoticed.
func TestGauges_everyStep(t *testing.T) {
	t.Parallel()
	b, tel := setup(t), telemetrytest.Discard(t)
	b.measure(t, tel)
	names := b.texts(t, `select (regexp_matches(pg_get_constraintdef(oid), '''([a-z-]+)''', 'g'))[1] from pg_constraint
		where conname = 'steps_name_check' and connamespace = current_schema()::regnamespace`)
	require.NotEmpty(t, names)
	require.Equal(t, len(names)+1, testutil.CollectAndCount(tel.Gauge(telemetry.SagaOldestPending)),
		"plus the refunds to be requested")
}

func TestGauges_underWay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.act(t, b.openOne(t, uuid.New(), claim.Cancel), claim.Approve, claim.Values{})
	b.openOne(t, uuid.New(), claim.Return)
	_, err := b.Pool.Exec(t.Context(), "update refunds set status = 'manual', next_at = null")
	require.NoError(t, err)
	late := b.openOne(t, uuid.New(), claim.Return)
	_, err = b.Pool.Exec(t.Context(), `update claims set status = 'collected', inspection_due_at = clock_timestamp() - interval
		'1 hour'
		where claim_no = $1`, late.No)
	require.NoError(t, err)
	value := b.measure(t, telemetrytest.Discard(t))
	require.InDelta(t, 1, value(telemetry.ClaimsOpen, "cancel", "refund_processing"), 0)
	require.InDelta(t, 1, value(telemetry.ClaimsOpen, "return", "requested"), 0)
	require.InDelta(t, 1, value(telemetry.ClaimsOpen, "return", "collected"), 0)
	require.Zero(t, value(telemetry.ClaimsOpen, "exchange", "reshipping"))
	require.InDelta(t, 1, value(telemetry.RefundsOpen, "manual"), 0)
	require.Zero(t, value(telemetry.RefundsOpen, "sent"))
	require.InDelta(t, 3600, value(telemetry.DeadlineOverdue, "inspection"), 60)
	require.Zero(t, value(telemetry.DeadlineOverdue, "payment"))
}

// The deadline of a frozen claim is not overdue: nothing is to happen.
func TestGauges_frozenDeadlines(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for deadline, state := range map[string]string{"inspection": "collected", "payment": "payment_pending"} {
		late := b.openOne(t, uuid.New(), claim.Return)
		_, err := b.Pool.Exec(t.Context(), `update claims set status = $2, `+deadline+`_due_at = clock_timestamp() - interval '1 hour'
			where claim_no = $1`, late.No, state)
		require.NoError(t, err)
		require.InDelta(t, 3600, b.measure(t, telemetrytest.Discard(t))(telemetry.DeadlineOverdue, deadline), 60)
		_, err = b.Pool.Exec(t.Context(), `update claims set frozen_at = clock_timestamp(), frozen_by = 'kim', frozen_code = 'other',
			frozen_reason = 'called' where claim_no = $1`, late.No)
		require.NoError(t, err)
		require.Zero(t, b.measure(t, telemetrytest.Discard(t))(telemetry.DeadlineOverdue, deadline))
	}
}

// An unavailable provider leaves refunds in sent, which is a state like any other: only their age reveals it.
func TestGauges_unansweredRefunds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.act(t, b.openOne(t, uuid.New(), claim.Cancel), claim.Approve, claim.Values{})
	require.Zero(t, b.measure(t, telemetrytest.Discard(t))(telemetry.RefundUnanswered), "no refund was requested")
	for state, want := range map[string]float64{"sent": 3600, "retrying": 0} {
		_, err := b.Pool.Exec(t.Context(), "update refunds set status = $1, unanswered_since = clock_timestamp() - interval '1 hour'",
			state)
		require.NoError(t, err)
		require.InDelta(t, want, b.measure(t, telemetrytest.Discard(t))(telemetry.RefundUnanswered), 60, state)
	}
}
