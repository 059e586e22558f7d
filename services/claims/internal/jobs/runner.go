package jobs

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivertype"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/store"
)

// Config are the times of the nets. Zero durations mean the defaults.
type Config struct {
	StepDelay     time.Duration `name:"step-delay" env:"STEP_DELAY" default:"4s" help:"Time until a job tries a step that its request did not finish. Longer than INLINE_TIME."`
	SweepInterval time.Duration `name:"sweep-interval" env:"SWEEP_INTERVAL" default:"2s" help:"Time between two looks for steps and times that jobs forgot."`
	SweepAge      time.Duration `name:"sweep-age" env:"SWEEP_AGE" default:"6s" help:"Age from which a step counts as forgotten. Longer than STEP_DELAY."`
	Workers       int           `name:"job-workers" env:"JOB_WORKERS" default:"8" help:"Most jobs at once."`

	// PollOnly says that the database is reached through a pooler that carries no notifications.
	PollOnly bool `kong:"-"`
}

func (c Config) withDefaults() Config {
	for field, otherwise := range map[*time.Duration]time.Duration{
		&c.StepDelay: 4 * time.Second, &c.SweepInterval: 2 * time.Second, &c.SweepAge: 6 * time.Second,
	} {
		if *field <= 0 {
			*field = otherwise
		}
	}
	if c.Workers <= 0 {
		c.Workers = 8
	}
	return c
}

// Limits of jobs.
const (
	// jobTimeout is the most time of one try. What follows has to be longer, or a job runs twice at once.
	jobTimeout  = 10 * time.Second
	rescueAfter = 30 * time.Second
	// stopTimeout is how long jobs get to end by themselves when the process ends.
	stopTimeout = 3 * time.Second
	// kept is how long a finished job can be looked at.
	kept = time.Hour
	// The pauses between tries of a step: a quarter of its age within these bounds.
	pauseShortest = time.Second
	pauseLongest  = 10 * time.Second
)

// Work is what jobs do. Every method can be called at any time and any number of times. An error says that it has to be
// called again.
type Work interface {
	// RunStep tries a step; nil when it is done, now or before.
	RunStep(ctx context.Context, id int64) error
	// AskRefund asks for a refund if that is due.
	AskRefund(ctx context.Context, due store.DueRefund) error
	// Ring looks whether the time of a claim has come.
	Ring(ctx context.Context, alarm store.Alarm) error
}

// Runner works jobs until it is stopped.
type Runner struct {
	client *river.Client[pgx.Tx]
	tel    *telemetry.Telemetry
}

// NewRunner returns a runner that is not started.
func NewRunner(pool *pgxpool.Pool, work Work, config Config, tel *telemetry.Telemetry) (*Runner, error) {
	config = config.withDefaults()
	workers := river.NewWorkers()
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, job *river.Job[stepArgs]) error {
		return later(job.JobRow, work.RunStep(ctx, job.Args.StepID))
	}))
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, job *river.Job[refundArgs]) error {
		return later(job.JobRow, work.AskRefund(ctx, job.Args.due()))
	}))
	river.AddWorker(workers, river.WorkFunc(func(ctx context.Context, job *river.Job[alarmArgs]) error {
		return later(job.JobRow, work.Ring(ctx, job.Args.alarm()))
	}))
	client, err := river.NewClient(riverpgxv5.New(pool), &river.Config{
		Logger:                      quiet(tel.Logger),
		Workers:                     workers,
		Queues:                      map[string]river.QueueConfig{river.QueueDefault: {MaxWorkers: config.Workers}},
		JobTimeout:                  jobTimeout,
		RescueStuckJobsAfter:        rescueAfter,
		SoftStopTimeout:             stopTimeout,
		CompletedJobRetentionPeriod: kept,
		Middleware:                  []rivertype.Middleware{newObserved(tel)},
		PollOnly:                    config.PollOnly,
	})
	if err != nil {
		return nil, fmt.Errorf("prepare jobs: %w", err)
	}
	return &Runner{client: client, tel: tel}, nil
}

// later snoozes a job that has to be tried again: soon while it is young, and never more rarely than every ten seconds.
// Snoozing is no attempt of the job, so it is never given up.
func later(job *rivertype.JobRow, err error) error {
	if err == nil {
		return nil
	}
	return river.JobSnooze(min(pauseLongest, max(pauseShortest, time.Since(job.CreatedAt)/4)))
}

// Run works jobs until ctx ends and those under way are done.
func (r *Runner) Run(ctx context.Context) { service.RunJobs(ctx, r.client, r.tel.Logger) }
