package jobs

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/riverqueue/river"
	"github.com/riverqueue/river/rivertype"

	"sellerapi.dev/pkg/apierr"
)

// Orders is what the jobs need of the store.
type Orders interface {
	// ConfirmDue confirms the purchases of an order that confirm themselves by now, and returns how many.
	ConfirmDue(ctx context.Context, orderNo string) (int, error)
	// EachDue calls do for every order with such purchases, until do fails or none is left.
	EachDue(ctx context.Context, do func(orderNo string) error) error
}

// confirmArgs is an alarm for an order.
type confirmArgs struct {
	OrderNo string `json:"order_no"`
}

// Kind implements river.JobArgs.
func (confirmArgs) Kind() string { return "confirm_purchase" }

// confirmWorker answers alarms.
type confirmWorker struct {
	river.WorkerDefaults[confirmArgs]
	orders Orders
}

// Work implements river.Worker.
func (w *confirmWorker) Work(ctx context.Context, job *river.Job[confirmArgs]) error {
	_, err := w.orders.ConfirmDue(ctx, job.Args.OrderNo)
	if errors.Is(err, apierr.OrderNotFound) {
		return river.JobCancel(err) // it will not come back
	}
	return err
}

// sweepArgs is the sweep for purchases that are due.
type sweepArgs struct{}

// Kind implements river.JobArgs.
func (sweepArgs) Kind() string { return "sweep_purchases" }

// InsertOpts implements river.JobArgsWithInsertOpts: a sweep that is still to run makes another one superfluous, and one that
// is done or failed is followed by the next.
func (sweepArgs) InsertOpts() river.InsertOpts {
	return river.InsertOpts{MaxAttempts: 1, UniqueOpts: river.UniqueOpts{ByQueue: true, ByState: underWay}}
}

// underWay are the states of jobs that are still to do something. River's own choice has those that are done among them:
// then one sweep would have kept all others away until it was forgotten a day later.
var underWay = []rivertype.JobState{
	rivertype.JobStateAvailable, rivertype.JobStatePending, rivertype.JobStateRetryable, rivertype.JobStateRunning, rivertype.JobStateScheduled,
}

const (
	// sweepEvery is the time between two sweeps.
	sweepEvery = time.Minute
	// sweepTurn is how long one run of the sweep lasts at most. A run that does not get to the end goes on at once.
	sweepTurn = jobTimeout * 6 / 10
)

// errTurnOver says that a run of the sweep has lasted long enough.
var errTurnOver = errors.New("the turn of the sweep is over")

// sweepWorker confirms everything that is due.
type sweepWorker struct {
	river.WorkerDefaults[sweepArgs]
	orders Orders
	logger *slog.Logger
}

// Work implements river.Worker.
func (w *sweepWorker) Work(ctx context.Context, _ *river.Job[sweepArgs]) error {
	ends := time.Now().Add(sweepTurn)
	confirmed, failed := 0, 0
	err := w.orders.EachDue(ctx, func(orderNo string) error {
		if time.Now().After(ends) {
			return errTurnOver
		}
		n, err := w.orders.ConfirmDue(ctx, orderNo)
		if err != nil {
			failed++
			w.logger.ErrorContext(ctx, "purchase not confirmed", "order_no", orderNo, "error", err)
		}
		confirmed += n
		return ctx.Err()
	})
	if confirmed > 0 {
		w.logger.InfoContext(ctx, "purchases confirmed by the sweep", "items", confirmed)
	}
	switch {
	case errors.Is(err, errTurnOver) && confirmed > 0:
		return river.JobSnooze(0)
	case err != nil && !errors.Is(err, errTurnOver):
		return err
	case failed > 0:
		return fmt.Errorf("%d orders with purchases that are due failed", failed)
	default:
		return nil
	}
}
