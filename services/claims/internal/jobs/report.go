package jobs

import (
	"context"
	"embed"
	"errors"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
)

//go:embed queries/*.sql
var queryFiles embed.FS

// queries are the statements of this package.
var queries = postgres.MustLoadQueries(queryFiles)

// reported are the steps that have an age, so that one that nobody waits for any more is reported as 0.
var reported = []claim.Step{
	claim.OpenLines, claim.TouchOrder, claim.ReleaseLines, claim.AddExchangeLine, claim.OpenExchangeLine, claim.ShipExchangeLine,
	claim.FinishClaim, claim.PayRefunds, claim.ConvertLines, claim.ConvertHold,
}

// dueRefund is the label of refunds whose time has come, beside the steps.
const dueRefund = "ask-refund"

// Report brings the metrics of waiting work up to date.
func (s *Sweeper) Report(ctx context.Context) error {
	ages, err := s.claims.OldestSteps(ctx)
	if err != nil {
		return err
	}
	overdue, err := s.claims.OldestRefund(ctx)
	if err != nil {
		return err
	}
	oldest := s.tel.Gauge(telemetry.SagaOldestPending)
	for _, name := range reported {
		oldest.WithLabelValues(string(name)).Set(ages[name].Seconds())
	}
	oldest.WithLabelValues(dueRefund).Set(overdue.Seconds())
	return s.count(ctx)
}

// counted are the gauges that a statement each brings up to date.
var counted = map[string]telemetry.Metric{
	"CountJobs": telemetry.JobsQueued, "CountClaims": telemetry.ClaimsOpen, "CountRefunds": telemetry.RefundsOpen,
	"AgeOfDeadlines": telemetry.DeadlineOverdue, "AgeOfUnanswered": telemetry.RefundUnanswered,
}

// count tells how much is under way.
func (s *Sweeper) count(ctx context.Context) error {
	problems := make([]error, 0, len(counted))
	for query, metric := range counted {
		problems = append(problems, postgres.SetGauge(ctx, s.pool, s.tel.Gauge(metric), queries.SQL(query)))
	}
	return errors.Join(problems...)
}
