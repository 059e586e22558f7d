package jobs

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/store"
)

const (
	// sweepRows is how much of each kind one sweep takes up.
	sweepRows = 100
	// sweepFailures is how many of them may fail before the rest waits for the next sweep.
	sweepFailures = 5
	// dueGrace is how long after its time something counts as forgotten by its job.
	dueGrace = 2 * time.Second
)

// Sweeper finds what jobs forgot. Every replica sweeps; what two of them take up at once is done once, like everything here.
type Sweeper struct {
	pool   *pgxpool.Pool
	claims *store.Store
	work   Work
	config Config
	tel    *telemetry.Telemetry
}

// NewSweeper returns a sweeper.
func NewSweeper(pool *pgxpool.Pool, claims *store.Store, work Work, config Config, tel *telemetry.Telemetry) *Sweeper {
	return &Sweeper{pool: pool, claims: claims, work: work, config: config.withDefaults(), tel: tel}
}

// Keep sweeps until the context ends. A sweep that fails is logged and tried again. Replicas drift apart by chance, so that
// they do not all ask at once.
func (s *Sweeper) Keep(ctx context.Context) {
	for {
		pause := s.config.SweepInterval/2 + rand.N(s.config.SweepInterval/2+1)
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
		if err := s.Sweep(ctx); err != nil && ctx.Err() == nil {
			s.tel.Logger.WarnContext(ctx, "sweep failed", "error", err)
		}
		if err := s.Report(ctx); err != nil && ctx.Err() == nil {
			s.tel.Logger.WarnContext(ctx, "counting what is under way failed", "error", err)
		}
	}
}

// Sweep takes everything up that should have been done.
func (s *Sweeper) Sweep(ctx context.Context) error {
	return errors.Join(s.steps(ctx), s.refunds(ctx), s.alarms(ctx, s.claims.DueInspections), s.alarms(ctx, s.claims.DuePayments))
}

func (s *Sweeper) steps(ctx context.Context) error {
	steps, err := s.claims.OverdueSteps(ctx, s.config.SweepAge, sweepRows)
	return each(ctx, steps, err, func(ctx context.Context, step store.Step) error { return s.work.RunStep(ctx, step.ID) })
}

func (s *Sweeper) refunds(ctx context.Context) error {
	due, err := s.claims.DueRefunds(ctx, dueGrace, sweepRows)
	return each(ctx, due, err, s.work.AskRefund)
}

func (s *Sweeper) alarms(ctx context.Context, find func(context.Context, time.Duration, int) ([]store.Alarm, error)) error {
	due, err := find(ctx, dueGrace, sweepRows)
	return each(ctx, due, err, s.work.Ring)
}

// each does the work of a list until it has failed a few times: when the other side is away, it is away for all. The order
// is left to chance, so that what fails for a reason of its own does not stand in the way of the rest forever.
func each[T any](ctx context.Context, list []T, err error, do func(context.Context, T) error) error {
	if err != nil {
		return err
	}
	var failures []error
	for _, i := range rand.Perm(len(list)) {
		ctx, cancel := context.WithTimeout(ctx, jobTimeout)
		err := do(ctx, list[i])
		cancel()
		if err != nil {
			failures = append(failures, err)
		}
		if len(failures) == sweepFailures {
			break
		}
	}
	return errors.Join(failures...)
}
