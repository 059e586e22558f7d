package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
)

// The business time has one source, which depends on the seller.
func TestStatements_takeTheTimeFromOneClock(t *testing.T) {
	t.Parallel()
	const bound, pace, metric = "bounds an index; what is found is compared with the seller's time",
		"paces tries and is no business", "a metric"
	pgtest.RequireSellerTime(t, queries, map[string]string{
		"DueInspections": bound, "DuePayments": bound, "DueRefunds": bound, "DueSteps": pace, "DueStepsOf": pace, "PlanStep": pace,
		"PlanOpening": pace, "TakeStep": pace, "AgeOfSteps": metric, "AgeOfUnanswered": metric, "AgeOfDeadlines": metric,
	})
}

// Every statement about a claim names the seller, so that another seller's claim and a missing one have the same result, and so
// that a distributed database queries one node.
func TestStatements_nameTheSeller(t *testing.T) {
	t.Parallel()
	const directory, sweep, metric = "a directory", "the sweep works for all sellers", "a metric over all sellers"
	exceptions := map[string]string{
		"NoteNumber": directory, "TakeNumber": directory, "LockNumber": directory, "FreeNumber": directory, "FindContent": directory,
		"FindSeller": directory, "FindRefundClaim": directory, "TakeRefundID": directory,
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
	require.Empty(t, exceptions, "unknown statement")
}

// A sweep finds due work without locking it: a lock on the rows of all sellers would be one on all nodes.
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
