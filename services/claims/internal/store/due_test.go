package store

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
)

// Every replica looks for due work every two seconds, however many claims there are: it must be found through an index.
func TestDue_servedByIndex(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, Migrations())
	for statement, index := range map[string]string{
		"DueSteps": "steps_due", "DueRefunds": "refunds_due", "DueInspections": "claims_inspection_due",
		"DuePayments": "claims_payment_due",
	} {
		text := pgtest.GenericPlan(t, postgres.AllSellers(db.Pool), postgres.PlannerSettings(), queries.SQL(statement))
		var plans []struct{ Plan plan }
		require.NoError(t, json.Unmarshal(text, &plans))
		used := map[string]string{}
		for _, node := range plans[0].Plan.nodes() {
			used[node.IndexName] = node.IndexCond
			require.NotEqual(t, "Seq Scan", node.NodeType, statement)
		}
		require.Contains(t, used[index], "_at <= ", "%s ends at the time, and does not read on for nothing", statement)
	}
}

// What is due for one seller is found through an index too: that of what is due, or one that begins with the seller.
func TestDue_ofSellerServedByIndex(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, Migrations())
	for _, statement := range []string{"DueStepsOf", "DueRefundsOf", "DueInspectionsOf", "DuePaymentsOf"} {
		text := pgtest.GenericPlan(t, postgres.AllSellers(db.Pool), postgres.PlannerSettings(), queries.SQL(statement))
		var plans []struct{ Plan plan }
		require.NoError(t, json.Unmarshal(text, &plans))
		for _, node := range plans[0].Plan.nodes() {
			require.NotEqual(t, "Seq Scan", node.NodeType, statement)
			if node.IndexName != "" {
				require.Regexp(t, `seller_id = |_at <= `, node.IndexCond, statement+" "+node.IndexName)
			}
		}
	}
}
