package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
)

// The time of business has one source, which knows whose business it is.
func TestStatements_takeTheTimeFromOneClock(t *testing.T) {
	t.Parallel()
	const bound, pace, metric = "bounds an index; what is found is compared with the seller's time", "paces tries and is no business", "a metric"
	pgtest.RequireSellerTime(t, queries, map[string]string{
		"DueInspections": bound, "DuePayments": bound, "DueRefunds": bound, "EndedClaims": bound, "DueSteps": pace, "PlanStep": pace, "PlanOpening": pace,
		"TakeStep": pace, "AgeOfSteps": metric, "AgeOfUnanswered": metric, "AgeOfDeadlines": metric,
	})
}

// The seller is part of every question about a claim, so that "not yours" and "not there" are one answer, and so that a distributed
// database asks one node.
func TestStatements_nameTheSeller(t *testing.T) {
	t.Parallel()
	const directory, sweep, metric = "a directory", "the sweep works for all sellers", "a metric over all sellers"
	const told = "the function is told the seller and looks whether it is in sight"
	exceptions := map[string]string{
		"NoteNumber": directory, "TakeNumber": directory, "LockNumber": directory, "FreeNumber": directory, "FindContent": directory,
		"FindSeller": directory, "FindRefundClaim": directory, "TakeRefundID": directory,
		"ArchiveClaims": told, "BringBack": told, "EndedClaims": sweep,
		"DueRefunds": sweep, "DueInspections": sweep, "DuePayments": sweep, "DueSteps": sweep,
		"AgeOfSteps": metric, "AgeOfDeadlines": metric, "AgeOfUnanswered": metric, "CountClaims": metric, "CountRefunds": metric,
	}
	for _, name := range queries.Names() {
		if _, ok := exceptions[name]; ok {
			delete(exceptions, name)
			continue
		}
		require.Regexp(t, `(?s)\bseller_id = \$1\b|insert into \w+ \(seller_id, .*(values \(\$1,|select \$1,)`, queries.SQL(name), name)
	}
	require.Empty(t, exceptions, "there is no such statement")
}

// A sweep finds what is due without holding it: a lock over the rows of all sellers would be one over all nodes.
func TestStatements_lockRowsOfOneSeller(t *testing.T) {
	t.Parallel()
	for _, name := range queries.Names() {
		switch name {
		case "LockClaims", "LockNumber":
		default:
			require.NotRegexp(t, `(?i)\bfor (no key )?(update|share)`, queries.SQL(name), name)
		}
	}
}
