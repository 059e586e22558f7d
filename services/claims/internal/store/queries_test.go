package store

import (
	"testing"

	"sellerapi.dev/pkg/postgres/pgtest"
)

// The time of business has one source, which knows whose business it is.
func TestStatements_takeTheTimeFromOneClock(t *testing.T) {
	t.Parallel()
	const bound, pace, metric = "bounds an index; what is found is judged by the seller's time", "paces tries and is no business", "a metric"
	pgtest.RequireSellerTime(t, queries, map[string]string{
		"DueInspections": bound, "DuePayments": bound, "DueRefunds": bound, "DueSteps": pace, "PlanSteps": pace, "PlanOpening": pace,
		"TakeStep": pace, "AgeOfSteps": metric, "AgeOfUnanswered": metric, "AgeOfDeadlines": metric,
	})
}
