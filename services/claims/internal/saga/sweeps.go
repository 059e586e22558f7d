package saga

import (
	"context"
	"time"

	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/store"
)

// sweepInterval is the longest time for which due work waits for a sweep.
const sweepInterval = 2 * time.Second

// Sweeps returns the background sweeps for claims.
func (s *Saga) Sweeps() []sweep.Sweep {
	return []sweep.Sweep{
		{Name: "step", Interval: sweepInterval, Find: sweep.Each(s.claims.DueSteps, func(step store.Step) sweep.Item {
			return sweep.Item{
				Key: step.ClaimNo + " " + string(step.Name), About: telemetry.Number(telemetry.ClaimNo, step.ClaimNo),
				Traceparent: step.Traceparent,
				Do:          func(ctx context.Context) error { return s.RunStep(ctx, step) },
			}
		})},
		{Name: "refund", Interval: sweepInterval, Find: sweep.Each(s.claims.DueRefunds, func(due store.DueRefund) sweep.Item {
			return sweep.Item{
				Key: due.ClaimNo, About: telemetry.Number(telemetry.ClaimNo, due.ClaimNo),
				Do: func(ctx context.Context) error { return s.RequestRefund(ctx, due) },
			}
		})},
		{Name: "inspection", Interval: sweepInterval, Find: sweep.Each(s.claims.DueInspections, func(due store.DueClaim) sweep.Item {
			return sweep.Item{
				Key: due.ClaimNo, About: telemetry.Number(telemetry.ClaimNo, due.ClaimNo),
				Do: func(ctx context.Context) error { return s.PassUninspected(ctx, due) },
			}
		})},
		{Name: "payment", Interval: sweepInterval, Find: sweep.Each(s.claims.DuePayments, func(due store.DueClaim) sweep.Item {
			return sweep.Item{
				Key: due.ClaimNo, About: telemetry.Number(telemetry.ClaimNo, due.ClaimNo),
				Do: func(ctx context.Context) error { return s.ExpirePayment(ctx, due) },
			}
		})},
	}
}
