//go:build citus

package store_test

import (
	"testing"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/claims/internal/store"
)

// Whatever a request asks the database, a distributed one asks one of its nodes for it, but for the statements of spreads.
func TestStatements_oneShard(t *testing.T) {
	t.Parallel()
	_, recorder := recorded(t)
	pgtest.RequireOneShard(t, store.Migrations(), recorder, whole(), spreads)
}

// spreads are the statements that ask several nodes of a distributed database.
var spreads = func() map[string]pgtest.Spread {
	all := map[string]pgtest.Spread{}
	for _, name := range []string{
		"DueInspections", "DuePayments", "DueRefunds", "DueSteps", "EndedClaims", "AgeOfDeadlines", "AgeOfSteps", "AgeOfUnanswered", "CountClaims", "CountRefunds",
	} {
		all[name] = pgtest.Spread{Reason: "what the service looks for by itself is on every node"}
	}
	return all
}()
