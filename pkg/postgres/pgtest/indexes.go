package pgtest

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
)

type planNode struct {
	NodeType  string     `json:"Node Type"`
	IndexName string     `json:"Index Name"`
	Plans     []planNode `json:"Plans"`
}

func (p planNode) walk(visit func(planNode)) {
	visit(p)
	for _, below := range p.Plans {
		below.walk(visit)
	}
}

// GenericIndexes returns the indexes, sorted, that the plan uses that a session with these settings makes for any arguments
// (plan_cache_mode = force_generic_plan). It fails the test when the plan scans a whole table.
func GenericIndexes(tb testing.TB, db postgres.Scoped, settings map[string]string, statement string) []string {
	tb.Helper()
	return indexesOf(tb, statement, GenericPlan(tb, db, settings, statement))
}

// GenericPlan returns the output of EXPLAIN (format json) for the plan that a session with these settings makes for any
// arguments.
func GenericPlan(tb testing.TB, db postgres.Scoped, settings map[string]string, statement string) (text []byte) {
	tb.Helper()
	tx, err := db.BeginTx(tb.Context(), pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
	require.NoError(tb, err)
	defer func() { require.NoError(tb, tx.Rollback(tb.Context())) }()
	for name, value := range settings {
		_, err = tx.Exec(tb.Context(), "select set_config($1, $2, true)", name, value)
		require.NoError(tb, err)
	}
	_, err = tx.Exec(tb.Context(), "set local plan_cache_mode = force_generic_plan", pgx.QueryExecModeSimpleProtocol)
	require.NoError(tb, err)
	_, err = tx.Exec(tb.Context(), "prepare planned as "+statement, pgx.QueryExecModeSimpleProtocol)
	require.NoError(tb, err, statement)
	const nullsOf = `select coalesce('(' || string_agg('null', ',') || ')', '') from pg_prepared_statements, unnest(parameter_types)
		where name = 'planned'`
	var nulls string
	require.NoError(tb, tx.QueryRow(tb.Context(), nullsOf).Scan(&nulls))
	explain := "explain (format json) execute planned" + nulls
	require.NoError(tb, tx.QueryRow(tb.Context(), explain, pgx.QueryExecModeSimpleProtocol).Scan(&text), statement)
	_, err = tx.Exec(tb.Context(), "deallocate planned", pgx.QueryExecModeSimpleProtocol)
	require.NoError(tb, err)
	return text
}

func indexesOf(tb testing.TB, statement string, text []byte) []string {
	tb.Helper()
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
