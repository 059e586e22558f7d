package store

import (
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
)

// measured are the steps whose age is a metric.
var measured = []claim.Step{
	claim.OpenLines, claim.TouchOrder, claim.ReleaseLines, claim.SealLines, claim.FreezeLines, claim.AddExchangeLine,
	claim.ShipExchangeLine, claim.FinishClaim, claim.PayRefunds, claim.ConvertLines,
}

// Gauges are the metrics of what is under way.
func Gauges() []postgres.Gauge {
	return []postgres.Gauge{
		{Metric: telemetry.SagaOldestPending, SQL: queries.SQL("AgeOfSteps"), Args: []any{measured}},
		{Metric: telemetry.ClaimsOpen, SQL: queries.SQL("CountClaims")},
		{Metric: telemetry.RefundsOpen, SQL: queries.SQL("CountRefunds")},
		{Metric: telemetry.DeadlineOverdue, SQL: queries.SQL("AgeOfDeadlines")},
		{Metric: telemetry.RefundUnanswered, SQL: queries.SQL("AgeOfUnanswered")},
	}
}
