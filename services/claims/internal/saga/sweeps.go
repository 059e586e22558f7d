package saga

import (
	"context"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/store"
)

// sweepInterval is the longest time for which due work waits for a sweep.
const sweepInterval = 2 * time.Second

// Sweeps returns the background sweeps for claims.
func (s *Saga) Sweeps() []sweep.Sweep {
	step := func(step store.Step) sweep.Item {
		return sweep.Item{
			Key:   step.ClaimNo + " " + string(step.Name) + " " + step.ID.String(),
			About: telemetry.Number(telemetry.ClaimNo, step.ClaimNo), Traceparent: step.Traceparent,
			Do: func(ctx context.Context) error { return s.RunStep(ctx, step) },
		}
	}
	request := func(due store.DueRefund) sweep.Item {
		return sweep.Item{
			Key: due.ClaimNo + " " + due.ID.String(), About: telemetry.Number(telemetry.ClaimNo, due.ClaimNo),
			Do: func(ctx context.Context) error { return s.RequestRefund(ctx, due) },
		}
	}
	pass, expire := dueClaim(s.PassUninspected), dueClaim(s.ExpirePayment)
	return []sweep.Sweep{
		sweepOf("step", s.claims.DueSteps, s.claims.DueStepsOf, step),
		sweepOf("refund", s.claims.DueRefunds, s.claims.DueRefundsOf, request),
		sweepOf("inspection", s.claims.DueInspections, s.claims.DueInspectionsOf, pass),
		sweepOf("payment", s.claims.DuePayments, s.claims.DuePaymentsOf, expire),
	}
}

// sweepOf returns the sweep of the rows that find and, for one seller, findOf return.
func sweepOf[T any](name string, find func(context.Context, int) ([]T, error),
	findOf func(context.Context, uuid.UUID, time.Time, int) ([]T, error), item func(T) sweep.Item,
) sweep.Sweep {
	return sweep.Sweep{Name: name, Interval: sweepInterval, Find: sweep.Each(find, item), FindOf: sweep.EachOf(findOf, item)}
}

// dueClaim returns the item of a claim that is due for do.
func dueClaim(do func(context.Context, store.DueClaim) error) func(store.DueClaim) sweep.Item {
	return func(due store.DueClaim) sweep.Item {
		return sweep.Item{
			Key: due.ClaimNo, About: telemetry.Number(telemetry.ClaimNo, due.ClaimNo),
			Do: func(ctx context.Context) error { return do(ctx, due) },
		}
	}
}
