package jobs_test

import (
	"context"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/jobs"
)

// value reads a metric.
func value(t *testing.T, metric prometheus.Collector) float64 {
	t.Helper()
	return testutil.ToFloat64(metric)
}

// open opens a claim whose customer must pay first, so that there is something of every kind to be due.
func (b *bench) open(t *testing.T, kind claim.Type, price int64) claim.Claim {
	t.Helper()
	w := claim.Wanted{
		No: "C-" + uuid.NewString(), OrderNo: "O-1", SellerID: uuid.New(), Type: kind, Reason: claim.Defective,
		Items: []claim.WantedItem{{ItemID: uuid.New(), Quantity: 1, ExchangeOptionName: "L", ExchangeUnitPrice: price}},
	}
	step, err := b.store.PlanOpening(t.Context(), w)
	require.NoError(t, err)
	c, err := b.store.Open(t.Context(), step, func(policy claim.Policy, now time.Time) (claim.Change, error) {
		line := claim.Line{ItemID: w.Items[0].ItemID, ItemCode: "O-1-01", Quantity: 1, UnitPrice: 5000, Paid: 5000, DeliveredAt: &now}
		return claim.Open(w, claim.Held{Lines: []claim.Line{line}}, policy, claim.DefaultPeriods(), now)
	})
	require.NoError(t, err)
	return c
}

// approve approves a claim, so that a cancel has a refund.
func (b *bench) approve(t *testing.T, c claim.Claim) {
	t.Helper()
	_, err := b.store.Change(t.Context(), c.SellerID, c.No, func(c *claim.Claim, undone claim.Undone, now time.Time) claim.Decision {
		return claim.Decide(c, claim.Command{Action: claim.Approve, Actor: claim.Actor{Kind: claim.ByAPI}}, claim.Surroundings{Undone: undone}, now)
	})
	require.NoError(t, err)
}

// Jobs can be lost: thrown away with River's tables, or stuck with a process that died. What they were for is not.
func TestTheSweepFindsWhatJobsForgot(t *testing.T) {
	t.Parallel()
	b := setup(t)
	unpaid, canceled := b.open(t, claim.Exchange, 9000), b.open(t, claim.Cancel, 0)
	b.approve(t, canceled)
	_, err := b.Pool.Exec(t.Context(), "truncate river_job")
	require.NoError(t, err)
	_, err = b.Pool.Exec(t.Context(), "update claims set payment_due_at = clock_timestamp() - interval '3 seconds' where payment_due_at is not null")
	require.NoError(t, err)
	_, err = b.Pool.Exec(t.Context(), "update refunds set next_at = clock_timestamp() - interval '3 seconds'")
	require.NoError(t, err)
	sweeper := jobs.NewSweeper(b.Pool, b.store, b.work, b.config, b.tel)
	require.NoError(t, sweeper.Sweep(t.Context()))
	require.Equal(t, 4, b.work.count("step"), "two touches of requests, one of the approval, one refund")
	require.Equal(t, 1, b.work.count("refund "+canceled.No))
	require.Equal(t, 1, b.work.count("watch-payment "+unpaid.No))

	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan struct{})
	go func() { defer close(ended); sweeper.Keep(ctx) }()
	b.eventually(t, "step", 12)
	cancel()
	<-ended
}

// What cannot be done stands in nobody's way, and a side that is away is not asked a hundred times.
func TestAFailureNeitherStopsNorFloodsASweep(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.open(t, claim.Exchange, 9000)
	for range 20 {
		b.open(t, claim.Cancel, 0)
	}
	_, err := b.Pool.Exec(t.Context(), "update claims set payment_due_at = clock_timestamp() - interval '3 seconds' where payment_due_at is not null")
	require.NoError(t, err)
	b.work.fails = func(name string, _ int) error {
		if name == "step" {
			return errAway
		}
		return nil
	}
	sweeper := jobs.NewSweeper(b.Pool, b.store, b.work, b.config, b.tel)
	require.ErrorIs(t, sweeper.Sweep(t.Context()), errAway)
	require.Equal(t, 5, b.work.count("step"))
	require.Equal(t, 1, b.work.count("watch-payment "+c.No))
}

func TestWaitingWorkIsReported(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.approve(t, b.open(t, claim.Cancel, 0))
	_, err := b.Pool.Exec(t.Context(), "update steps set planned_at = planned_at - interval '1 minute' where name = 'pay-refunds'")
	require.NoError(t, err)
	sweeper := jobs.NewSweeper(b.Pool, b.store, b.work, jobs.Config{SweepAge: time.Hour}, b.tel)
	require.NoError(t, sweeper.Report(t.Context()))
	oldest := b.tel.Gauge(telemetry.SagaOldestPending)
	require.InDelta(t, 60, value(t, oldest.WithLabelValues("pay-refunds")), 20)
	require.InDelta(t, 10, value(t, oldest.WithLabelValues("ask-refund")), 10)
	require.Zero(t, value(t, oldest.WithLabelValues("finish-claim")))
	require.InDelta(t, 4, value(t, b.tel.Gauge(telemetry.JobsQueued).WithLabelValues("default", "scheduled"))+
		value(t, b.tel.Gauge(telemetry.JobsQueued).WithLabelValues("default", "available")), 0, "the opening's job is left as well")

	for range 10 {
		steps, err := b.store.OverdueSteps(t.Context(), 0, 10)
		require.NoError(t, err)
		for _, step := range steps {
			require.NoError(t, b.store.FinishStep(t.Context(), step.ID))
		}
	}
	require.NoError(t, sweeper.Report(t.Context()))
	require.Zero(t, value(t, oldest.WithLabelValues("pay-refunds")), "what nobody waits for any more has no age")
}

func TestWhatIsUnderWayIsCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.approve(t, b.open(t, claim.Cancel, 0))
	b.open(t, claim.Return, 0)
	_, err := b.Pool.Exec(t.Context(), "update refunds set status = 'manual', next_at = null")
	require.NoError(t, err)
	late := b.open(t, claim.Return, 0)
	_, err = b.Pool.Exec(t.Context(), `update claims set status = 'collected', inspection_due_at = clock_timestamp() - interval '1 hour'
		where claim_no = $1`, late.No)
	require.NoError(t, err)
	require.NoError(t, jobs.NewSweeper(b.Pool, b.store, b.work, jobs.Config{}, b.tel).Report(t.Context()))
	claims, refunds := b.tel.Gauge(telemetry.ClaimsOpen), b.tel.Gauge(telemetry.RefundsOpen)
	require.InDelta(t, 1, value(t, claims.WithLabelValues("cancel", "refund_processing")), 0)
	require.InDelta(t, 1, value(t, claims.WithLabelValues("return", "requested")), 0)
	require.InDelta(t, 1, value(t, claims.WithLabelValues("return", "collected")), 0)
	require.Zero(t, value(t, claims.WithLabelValues("exchange", "reshipping")))
	require.InDelta(t, 1, value(t, refunds.WithLabelValues("manual")), 0)
	require.Zero(t, value(t, refunds.WithLabelValues("sent")))
	overdue := b.tel.Gauge(telemetry.DeadlineOverdue)
	require.InDelta(t, 3600, value(t, overdue.WithLabelValues("inspection")), 60)
	require.Zero(t, value(t, overdue.WithLabelValues("payment")))
}

// A provider that is away leaves refunds in sent, which is a state like any other: only their age shows it.
func TestReportUnansweredRefunds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	report := func() float64 {
		require.NoError(t, jobs.NewSweeper(b.Pool, b.store, b.work, jobs.Config{}, b.tel).Report(t.Context()))
		return value(t, b.tel.Gauge(telemetry.RefundUnanswered).WithLabelValues())
	}
	b.approve(t, b.open(t, claim.Cancel, 0))
	require.Zero(t, report(), "nobody was asked")
	for state, want := range map[string]float64{"sent": 3600, "retrying": 0} {
		_, err := b.Pool.Exec(t.Context(), "update refunds set status = $1, unanswered_since = clock_timestamp() - interval '1 hour'", state)
		require.NoError(t, err)
		require.InDelta(t, want, report(), 60, state)
	}
}
