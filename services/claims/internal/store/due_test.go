package store

import (
	"encoding/json"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
)

// Every replica looks for due work every two seconds, however many claims there are: it must be found through an index.
func TestDue_servedByIndex(t *testing.T) {
	t.Parallel()
	db := pgtest.New(t, Migrations())
	for statement, index := range map[string]string{
		"DueSteps": "steps_due", "DueRefunds": "refunds_due", "DueInspections": "claims_inspection_due", "DuePayments": "claims_payment_due",
	} {
		args := []any{pgx.QueryExecModeExec, 10}
		if statement == "DueRefunds" {
			args = append(args, HeadStart)
		}
		tx, err := db.Pool.Begin(t.Context())
		require.NoError(t, err)
		_, err = tx.Exec(t.Context(), "set local enable_seqscan = off") // the tables are empty
		require.NoError(t, err)
		var text []byte
		require.NoError(t, tx.QueryRow(t.Context(), "explain (format json) "+queries.SQL(statement), args...).Scan(&text), statement)
		require.NoError(t, tx.Rollback(t.Context()))
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
