package jobs

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
)

const (
	// jobTimeout bounds one run of a job; one that is still running after rescueAfter has lost its process.
	jobTimeout  = 10 * time.Second
	rescueAfter = 30 * time.Second
	// workersMost is how many jobs an instance runs at once.
	workersMost = 4
	// stopPatience is how long jobs under way may take when the instance ends.
	stopPatience = 3 * time.Second
)

// Config says where and how jobs run.
type Config struct {
	Pool *pgxpool.Pool
	// Schema holds River's tables.
	Schema string
	Orders Orders
	// PollOnly does without LISTEN, which a pooler in transaction mode cannot do.
	PollOnly bool
	// Eager starts the maintenance of the queue at once instead of staggered; for tests.
	Eager bool
}

// Runner runs the jobs of one instance.
type Runner struct {
	client *river.Client[pgx.Tx]
	tel    *telemetry.Telemetry
	pool   *pgxpool.Pool
}

// New returns a runner that does not run yet.
func New(config Config, tel *telemetry.Telemetry) (*Runner, error) {
	workers := river.NewWorkers()
	river.AddWorker(workers, &confirmWorker{orders: config.Orders})
	river.AddWorker(workers, &sweepWorker{orders: config.Orders, logger: tel.Logger})
	client, err := river.NewClient(riverpgxv5.New(config.Pool), &river.Config{
		Schema: config.Schema, Logger: tel.Logger, Workers: workers, PollOnly: config.PollOnly, TestOnly: config.Eager,
		Queues:     map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: workersMost}},
		JobTimeout: jobTimeout, RescueStuckJobsAfter: rescueAfter, SoftStopTimeout: stopPatience,
		Middleware: []rivertype.Middleware{newObserver(tel)},
		PeriodicJobs: []*river.PeriodicJob{river.NewPeriodicJob(
			river.PeriodicInterval(sweepEvery),
			func() (river.JobArgs, *river.InsertOpts) { return sweepArgs{}, nil },
			&river.PeriodicJobOpts{RunOnStart: true},
		)},
	})
	if err != nil {
		return nil, fmt.Errorf("prepare jobs: %w", err)
	}
	return &Runner{client: client, tel: tel, pool: config.Pool}, nil
}

// Run runs jobs, and reports how much is under way, until ctx ends and the jobs under way are done.
func (r *Runner) Run(ctx context.Context) {
	var reporting sync.WaitGroup
	reporting.Go(func() { r.keepReporting(ctx) })
	service.RunJobs(ctx, r.client, r.tel.Logger)
	reporting.Wait()
}

// pause waits; false when the context ends first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}
