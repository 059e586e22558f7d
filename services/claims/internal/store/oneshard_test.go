//go:build citus

package store_test

import (
	"testing"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/claims/internal/store"
)

// Every statement of a request runs on one node of a distributed database, except the statements of spreads.
func TestStatements_oneShard(t *testing.T) {
	t.Parallel()
	_, recorder := recorded(t)
	pgtest.RequireOneShard(t, store.Migrations(), recorder, store.QueryNames(), spreads)
}

// spreads are the statements that run on several nodes of a distributed database.
var spreads = map[string]pgtest.Spread{
	"DueInspections":  pgtest.Swept("claims_inspection_due"),
	"DuePayments":     pgtest.Swept("claims_payment_due"),
	"DueRefunds":      pgtest.Swept("refunds_due"),
	"DueSteps":        pgtest.Swept("steps_due"),
	"AgeOfDeadlines":  pgtest.Swept("claims_inspection_due"),
	"AgeOfSteps":      pgtest.Swept("refunds_due"),
	"AgeOfUnanswered": pgtest.Swept("refunds_open"),
	"CountClaims":     pgtest.Swept("claims_open"),
	"CountRefunds":    pgtest.Swept("refunds_open"),
}
