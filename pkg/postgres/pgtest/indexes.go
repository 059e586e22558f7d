package pgtest

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
)

// planNode is a node of the output of EXPLAIN (format json).
type planNode struct {
	NodeType  string     `json:"Node Type"`
	IndexName string     `json:"Index Name"`
	Plans     []planNode `json:"Plans"`
}

// walk calls visit for the node and all below it.
func (p planNode) walk(visit func(planNode)) {
	visit(p)
	for _, below := range p.Plans {
		below.walk(visit)
	}
}

// Indexes returns the indexes, sorted, that the plan of a statement with these arguments uses. It fails the test when the plan scans
// a whole table.
func Indexes(tb testing.TB, db postgres.Scoped, statement string, args ...any) []string {
	tb.Helper()
	tx, err := db.BeginTx(tb.Context(), pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	require.NoError(tb, err)
	defer func() { require.NoError(tb, tx.Rollback(tb.Context())) }()
	var text []byte
	err = tx.QueryRow(tb.Context(), "explain (format json) "+statement, append([]any{pgx.QueryExecModeExec}, args...)...).Scan(&text)
	require.NoError(tb, err)
	var plans []struct{ Plan planNode }
	require.NoError(tb, json.Unmarshal(text, &plans))
	var used []string
	plans[0].Plan.walk(func(node planNode) {
		require.NotEqual(tb, "Seq Scan", node.NodeType, statement)
		if node.IndexName != "" {
			used = append(used, node.IndexName)
		}
	})
	slices.Sort(used)
	return slices.Compact(used)
}
