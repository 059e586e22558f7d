package store

import (
	"encoding/json"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// A page forwards is served by the index of the list, from the beginning and from far inside, also by a plan that was made for
// empty tables.
func TestForward_servedByIndex(t *testing.T) {
	t.Parallel()
	db, big := pgtest.New(t, Migrations()), uuid.New()
	secured := db.AsService(t)
	explained := func(after paging.Position) plan {
		statement, args := forwardStatement(big, after, paging.MaxLimit+1)
		text := pgtest.ExplainPrepared(t, postgres.OfSeller(secured, big), postgres.PlannerSettings(), statement, args)
		var plans []struct{ Plan plan }
		require.NoError(t, json.Unmarshal(text, &plans))
		return plans[0].Plan
	}
	for _, node := range explained(paging.Beginning()).nodes() {
		require.NotContains(t, []string{"Seq Scan", "Sort"}, node.NodeType)
	}
	crowd(t, db, big, uuid.New())
	for name, after := range map[string]paging.Position{"beginning": paging.Beginning(), "inside": paging.Since(*ago(1200))} {
		requireIndexed(t, name, explained(after), "claims_by_change")
	}
}
