package jobs_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/jobs"
	"sellerapi.dev/services/claims/internal/store"
)

var errAway = errors.New("away")

func TestAPlannedStepIsTriedUntilItSucceeds(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.work.fails = func(_ string, call int) error {
		if call < 3 {
			return errAway
		}
		return nil
	}
	b.plan(t.Context(), t, store.Plan{Steps: []store.Step{stepOf(1)}})
	b.run(t)
	b.eventually(t, "step", 3)
	require.Eventually(t, func() bool {
		return b.number(t, "select count(*) from river_job where state = 'completed' and attempt = 1") == 1
	}, 30*time.Second, 10*time.Millisecond, "trying again is no attempt, so nothing is ever given up")
}

func TestRefundsAndAlarmsAreRungForAtTheirTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	now := time.Now()
	b.plan(t.Context(), t, store.Plan{
		Refunds: []store.DueRefund{{ClaimNo: "now", ID: uuid.New(), At: now}, {ClaimNo: "later", ID: uuid.New(), At: now.Add(time.Hour)}},
		Alarms: []store.Alarm{
			{ClaimNo: "now", Name: claim.WatchPayment, At: now}, {ClaimNo: "later", Name: claim.WatchInspection, At: now.Add(time.Hour)},
		},
	})
	b.run(t)
	b.eventually(t, "refund now", 1)
	b.eventually(t, "watch-payment now", 1)
	require.Zero(t, b.work.count("refund later")+b.work.count("watch-inspection later"))
	require.Equal(t, 2, b.number(t, "select count(*) from river_job where state = 'scheduled' and scheduled_at > now() + interval '50 minutes'"))
}

func TestAStepThatIsPlannedAgainHasOneJob(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 3 {
		b.plan(t.Context(), t, store.Plan{Steps: []store.Step{stepOf(1), stepOf(2)}})
	}
	require.Equal(t, 2, b.number(t, "select count(*) from river_job"))
}

// Either the change and its job are there or neither.
func TestAJobGoesWithItsTransaction(t *testing.T) {
	t.Parallel()
	b := setup(t)
	err := postgres.InTx(t.Context(), b.Pool, func(ctx context.Context, tx pgx.Tx) error {
		require.NoError(t, b.planner.Follow(ctx, tx, store.Plan{Steps: []store.Step{stepOf(1)}}))
		return errAway
	})
	require.ErrorIs(t, err, errAway)
	require.Zero(t, b.number(t, "select count(*) from river_job"))
}

func TestAJobIsPartOfTheTraceThatPlannedIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.tel, _ = telemetry.Recording(t)
	planner, err := jobs.NewPlanner(b.Pool, b.config, b.tel)
	require.NoError(t, err)
	b.planner = planner
	ctx, span := b.tel.TracerProvider.Tracer("test").Start(t.Context(), "request")
	b.plan(ctx, t, store.Plan{Steps: []store.Step{stepOf(1)}})
	span.End()
	b.run(t)
	b.eventually(t, "step", 1)
	b.work.mu.Lock()
	defer b.work.mu.Unlock()
	require.Equal(t, span.SpanContext().TraceID(), trace.SpanContextFromContext(b.work.contexts["step"]).TraceID())
}

// A process was killed while it was at a job. The job is rescued, here as if half a minute had passed.
func TestAJobOfAProcessThatDiedIsRescued(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.plan(t.Context(), t, store.Plan{Steps: []store.Step{stepOf(1)}})
	_, err := b.Pool.Exec(t.Context(), `update river_job set state = 'running', attempt = 1, attempted_at = now() - interval '31 seconds',
		attempted_by = array['dead']`)
	require.NoError(t, err)
	b.run(t)
	b.eventually(t, "step", 1)
}

func TestRunsAreCounted(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.work.fails = func(_ string, call int) error {
		switch call {
		case 1:
			return errAway
		case 2:
			panic("a mistake in the program")
		default:
			return nil
		}
	}
	b.plan(t.Context(), t, store.Plan{Steps: []store.Step{stepOf(1)}})
	b.run(t)
	b.eventually(t, "step", 3)
	runs := b.tel.Counter(telemetry.JobRuns)
	for _, outcome := range []string{"snoozed", "retry", "done"} {
		require.Eventually(t, func() bool { return value(t, runs.WithLabelValues("step", outcome)) == 1 }, 30*time.Second, 5*time.Millisecond, outcome)
	}
}

func TestStoppingWaitsForTheJobThatRuns(t *testing.T) {
	t.Parallel()
	b := setup(t)
	var ended sync.WaitGroup
	started, proceed := make(chan struct{}), make(chan struct{})
	ended.Add(1)
	b.work.fails = func(string, int) error {
		close(started)
		<-proceed
		ended.Done()
		return nil
	}
	b.plan(t.Context(), t, store.Plan{Steps: []store.Step{stepOf(1)}})
	stop := b.run(t)
	<-started
	close(proceed)
	stop()
	ended.Wait()
	require.Equal(t, 1, b.number(t, "select count(*) from river_job where state = 'completed'"))
}

// A service starts while its database is away, and works its jobs when it is back.
func TestJobsWaitForTheDatabase(t *testing.T) {
	t.Parallel()
	b := setup(t)
	empty := pgtest.New(t, nil)
	empty.Pool.Close()
	runner, err := jobs.NewRunner(empty.Pool, b.work, b.config, b.tel)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	runner.Run(ctx) // one that never got to its database stops all the same
}

func TestAnyNumberOfReplicasMayMigrateAtOnce(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, store.Migrations())
	failures := make([]error, 4)
	var wg sync.WaitGroup
	for i := range failures {
		wg.Go(func() { failures[i] = jobs.Migrate(t.Context(), db.Config, db.Schema) })
	}
	wg.Wait()
	require.NoError(t, errors.Join(failures...))
	var table *string
	require.NoError(t, db.Pool.QueryRow(t.Context(), "select to_regclass($1)::text", db.Schema+".river_job").Scan(&table))
	require.NotNil(t, table)
}
