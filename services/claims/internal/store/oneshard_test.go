//go:build citus

package store_test

import (
	"testing"

	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
	"sellerapi.dev/services/claims/internal/store"
)

// Every statement of a request runs on one node of a distributed database, except the statements of spreads.
func TestStatements_oneShard(t *testing.T) {
	t.Parallel()
	_, recorder := recorded(t)
	distributedtest.RequireOneShard(t, store.Migrations(), recorder, store.QueryNames(), spreads)
}

// spreads are the statements that run on several nodes of a distributed database.
var spreads = map[string]distributedtest.Spread{
	"DueInspections":  distributedtest.Swept("claims_inspection_due"),
	"DuePayments":     distributedtest.Swept("claims_payment_due"),
	"DueRefunds":      distributedtest.Swept("refunds_due"),
	"DueSteps":        distributedtest.Swept("steps_due"),
	"AgeOfDeadlines":  distributedtest.Swept("claims_inspection_due"),
	"AgeOfSteps":      distributedtest.Swept("refunds_due"),
	"AgeOfUnanswered": distributedtest.Swept("refunds_open"),
	"CountClaims":     distributedtest.Swept("claims_open"),
	"CountRefunds":    distributedtest.Swept("refunds_open"),
}
