//go:build citus

package store

import (
	"testing"

	"sellerapi.dev/pkg/postgres/distributed/distributedtest"
)

// Every statement of a request runs on one node of a distributed database, except the statements of spreads.
func TestStatements_oneShard(t *testing.T) {
	t.Parallel()
	_, recorder := recorded(t)
	distributedtest.RequireOneShard(t, Migrations(), recorder, queries.Names(), spreads)
}

// spreads are the statements that run on several nodes of a distributed database.
var spreads = map[string]distributedtest.Spread{
	"ClaimIDs":        {Reason: "a directory is by number, and a batch names many"},
	"InsertInquiries": {Reason: "a batch is of several sellers", Sellers: 2},
	"InboxOldAnswers": distributedtest.Swept("inbox_answers_by_age"),
	"InboxOverdue":    distributedtest.Swept("inbox_answers_by_age"),
}
