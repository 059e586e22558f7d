package store

import (
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
)

var measured = []claim.Step{
	claim.OpenLines, claim.TouchOrder, claim.TouchHeld, claim.ReleaseLines, claim.SealLines, claim.FreezeLines,
	claim.AddExchangeLine, claim.ShipExchangeLine, claim.FinishClaim, claim.PayRefunds, claim.ConvertLines,
}

// Gauges returns the metrics of pending work.
func Gauges() []postgres.Gauge {
	return []postgres.Gauge{
		{Metric: telemetry.SagaOldestPending, SQL: queries.SQL("AgeOfSteps"), Args: []any{measured}},
		{Metric: telemetry.ClaimsOpen, SQL: queries.SQL("CountClaims")},
		{Metric: telemetry.RefundsOpen, SQL: queries.SQL("CountRefunds")},
		{Metric: telemetry.DeadlineOverdue, SQL: queries.SQL("AgeOfDeadlines")},
		{Metric: telemetry.RefundUnanswered, SQL: queries.SQL("AgeOfUnanswered")},
	}
}
