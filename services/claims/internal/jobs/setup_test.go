package jobs_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/jobs"
	"sellerapi.dev/services/claims/internal/store"
)

// bench is a schema with River's tables, a store that plans jobs, and work that is watched.
type bench struct {
	*pgtest.DB
	store   *store.Store
	planner *jobs.Planner
	work    *work
	tel     *telemetry.Telemetry
	config  jobs.Config
}

// work notes what it is asked to do, and does what it is told.
type work struct {
	mu    sync.Mutex
	calls map[string]int
	fails func(name string, call int) error
	// contexts are those of the last call by name.
	contexts map[string]context.Context
}

func (w *work) called(ctx context.Context, name string) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.calls[name]++
	w.contexts[name] = ctx
	if w.fails == nil {
		return nil
	}
	return w.fails(name, w.calls[name])
}

// count is how often something was asked for.
func (w *work) count(name string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.calls[name]
}

// RunStep implements jobs.Work.
func (w *work) RunStep(ctx context.Context, _ int64) error { return w.called(ctx, "step") }

// AskRefund implements jobs.Work.
func (w *work) AskRefund(ctx context.Context, due store.DueRefund) error {
	return w.called(ctx, "refund "+due.ClaimNo)
}

// Ring implements jobs.Work.
func (w *work) Ring(ctx context.Context, alarm store.Alarm) error {
	return w.called(ctx, string(alarm.Name)+" "+alarm.ClaimNo)
}

func setup(t *testing.T) *bench {
	t.Helper()
	b := &bench{
		DB: pgtest.New(t, store.Migrations()), tel: telemetry.Discard(t),
		work:   &work{calls: map[string]int{}, contexts: map[string]context.Context{}},
		config: jobs.Config{StepDelay: time.Millisecond, SweepInterval: 20 * time.Millisecond, SweepAge: time.Millisecond, Workers: 2},
	}
	require.NoError(t, jobs.Migrate(t.Context(), b.Config, b.Schema))
	planner, err := jobs.NewPlanner(b.Pool, b.config, b.tel)
	require.NoError(t, err)
	b.planner = planner
	b.store = store.New(b.Pool, planner.Follow)
	return b
}

// run works jobs until the end of the test, or until the returned function is called.
func (b *bench) run(t *testing.T) (stop func()) {
	t.Helper()
	runner, err := jobs.NewRunner(b.Pool, b.work, b.config, b.tel)
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.WithoutCancel(t.Context()))
	var running sync.WaitGroup
	running.Go(func() { runner.Run(ctx) })
	stop = func() { cancel(); running.Wait() }
	t.Cleanup(stop)
	return stop
}

// plan plans something in a transaction of its own.
func (b *bench) plan(ctx context.Context, t *testing.T, plan store.Plan) {
	t.Helper()
	require.NoError(t, postgres.InTx(ctx, b.Pool, func(ctx context.Context, tx pgx.Tx) error { return b.planner.Follow(ctx, tx, plan) }))
}

// eventually waits until something was asked for so often.
func (b *bench) eventually(t *testing.T, name string, count int) {
	t.Helper()
	require.Eventually(t, func() bool { return b.work.count(name) >= count }, 60*time.Second, 5*time.Millisecond, "%s %d times", name, count)
}

// stepOf is a step as the store plans it.
func stepOf(id int64) store.Step {
	return store.Step{ID: id, ClaimNo: "C-1", SellerID: uuid.New(), Name: claim.TouchOrder, PlannedAt: time.Now()}
}

// number reads one number.
func (b *bench) number(t *testing.T, statement string, args ...any) int {
	t.Helper()
	var n int
	require.NoError(t, b.Pool.QueryRow(t.Context(), statement, args...).Scan(&n))
	return n
}
