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
		return explainStatement(t, secured, big, statement, args)
	}
	for _, node := range explained(paging.Beginning()).nodes() {
		require.NotContains(t, []string{"Seq Scan", "Sort"}, node.NodeType)
	}
	crowd(t, db, big, uuid.New())
	for name, after := range map[string]paging.Position{"beginning": paging.Beginning(), "inside": paging.Since(*ago(1200))} {
		requireIndexed(t, name, explained(after), "claims_by_change")
	}
}

func explainStatement(t *testing.T, secured *postgres.Pool, seller uuid.UUID, statement string, args []any) plan {
	t.Helper()
	text := pgtest.ExplainPrepared(t, postgres.OfSeller(secured, seller), postgres.PlannerSettings(), statement, args)
	var plans []struct{ Plan plan }
	require.NoError(t, json.Unmarshal(text, &plans))
	return plans[0].Plan
}

// historyIndexes are what serves the history of a claim, whose row is found by claims_claim_no.
var historyIndexes = []string{"history_pkey", "evidence_pkey", "refund_steps_pkey", "refunds_pkey"}

// A history is served by the indexes of one claim, however many there are. A plan that was made for empty tables reads no table
// as a whole either.
func TestHistory_servedByIndex(t *testing.T) {
	t.Parallel()
	db, big := pgtest.New(t, Migrations()), uuid.New()
	secured := db.AsService(t)
	for _, size := range []string{"empty", "many"} {
		if size == "many" {
			crowd(t, db, big, uuid.New())
			_, err := db.Pool.Exec(t.Context(), `insert into history
					(seller_id, claim_id, seq, happened_at, trigger, from_status, to_status, actor, actor_name)
				select seller_id, claim_id, n, now(), 'approve', case when n > 1 then 'requested' end, 'approved', 'api', 'k'
				from claims, generate_series(1, 3) n`)
			require.NoError(t, err)
			_, err = db.Pool.Exec(t.Context(), "vacuum analyze history")
			require.NoError(t, err)
		}
		root, used := explainStatement(t, secured, big, queries.SQL("ClaimHistory"), []any{big, "C-1"}), map[string]bool{}
		for _, node := range root.nodes() {
			require.NotContains(t, []string{"Seq Scan", "Hash Join", "Merge Join"}, node.NodeType, size)
			require.LessOrEqual(t, node.Rows+node.Removed, 10.0, "%s: %+v", size, node)
			used[node.IndexName] = true
		}
		for _, index := range historyIndexes {
			require.True(t, used[index], "%s: %s is not among %v", size, index, used)
		}
		require.True(t, size == "empty" || used["claims_claim_no"], "%v", used)
		require.LessOrEqual(t, root.Hit+root.Read, 100, size)
	}
}
