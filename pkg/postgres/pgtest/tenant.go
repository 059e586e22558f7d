package pgtest

import (
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
)

var (
	sqlComment = regexp.MustCompile(`--[^\n]*|(?s:/\*.*?\*/)`)
	sellerID   = regexp.MustCompile(`\bseller_id\b`)
	otherClock = regexp.MustCompile(`(?i)\b(now|(clock|statement|transaction)_timestamp)\(|\bcurrent_timestamp\b`)
)

// changesRows matches a statement, or the part after its with clause, that updates or deletes rows.
var changesRows = regexp.MustCompile(`(?m)^(update|delete from) \w+`)

// sellersByValue matches a condition on the seller that does not depend on other rows.
var sellersByValue = regexp.MustCompile(`\bseller_id = (any \()?\$\d`)

// RequireTenantQueries fails unless every statement mentions seller_id outside of comments, so that none can return or change
// rows of another seller. exempt names the statements that work across sellers, each with its reason; an exemption without a
// reason, without a statement or that is not needed fails too. A statement that changes rows must name their sellers by value.
func RequireTenantQueries(tb testing.TB, queries postgres.Queries, exempt map[string]string) {
	tb.Helper()
	names := queries.Names()
	require.NotEmpty(tb, names, "no queries to check")
	for name, reason := range exempt {
		require.Contains(tb, names, name, "exempt, but there is no such query")
		require.NotEmpty(tb, reason, "the exemption of %s needs a reason", name)
	}
	for _, name := range names {
		fenced := sellerID.MatchString(sqlComment.ReplaceAllString(queries.SQL(name), ""))
		if _, isExempt := exempt[name]; isExempt {
			require.False(tb, fenced, "%s mentions seller_id and needs no exemption", name)
		} else {
			require.True(tb, fenced, "%s does not mention seller_id", name)
			require.True(tb, namesSellers(queries.SQL(name)), "%s changes rows of sellers that only a join names", name)
		}
	}
}

// namesSellers reports whether a statement that changes rows names their sellers by value. A seller that only results from a
// join is unknown to a distributed database when it plans: it sends the statement to every node, and one unavailable node fails
// the calls of all sellers.
func namesSellers(statement string) bool {
	change := changesRows.FindStringIndex(statement)
	return change == nil || sellersByValue.MatchString(statement[change[1]:])
}

// RequireSellerTime fails unless every statement takes the business time from seller_now and from no other clock. exempt names
// the statements that measure something else, each with its reason; an exemption that is not needed fails too.
func RequireSellerTime(tb testing.TB, queries postgres.Queries, exempt map[string]string) {
	tb.Helper()
	for name, reason := range exempt {
		require.Contains(tb, queries.Names(), name, "exempt, but there is no such query")
		require.NotEmpty(tb, reason, "the exemption of %s needs a reason", name)
	}
	for _, name := range queries.Names() {
		_, isExempt := exempt[name]
		clock := otherClock.FindString(sqlComment.ReplaceAllString(queries.SQL(name), ""))
		require.Equal(tb, isExempt, clock != "", "%s takes the time from %q", name, clock)
	}
}
