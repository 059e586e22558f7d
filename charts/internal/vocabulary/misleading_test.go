package vocabulary_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/charts/internal/vocabulary"
)

// When three replicas each report the same ten orders, there are ten orders, also with lines by pod. The difference of two 95 %
// quantiles is not a duration of anything.
func TestMisleading_kinds(t *testing.T) {
	t.Parallel()
	const high, low = `histogram_quantile(0.95, sum by (le) (rate(a_bucket[5m])))`,
		`histogram_quantile(0.95, sum by (le) (rate(b_bucket[5m])))`
	for _, good := range []string{
		`sum(max by (item_status) (orders_open))`, `max(saga_oldest_pending_seconds)`,
		`topk(15, max by (table) (86400 * deriv(db_table_bytes[1d])))`,
		`sum(db_pool_connections)`, `max by (step, pod) (saga_oldest_pending_seconds)`, high, high + " / " + low,
	} {
		require.NoError(t, vocabulary.Misleading(good, vocabulary.Beside))
	}
	for bad, problem := range map[string]string{
		`sum by (item_status) (orders_open)`:                                          "every replica reports the same orders_open",
		`sum(max by (item_status, $split) (orders_open))`:                             "summed over the pods of orders_open",
		`sum by (type) (max by (type, status, instance) (claims_open))`:               "summed over the pods of claims_open",
		`sum(max without (item_status) (orders_open))`:                                "summed over the pods of orders_open",
		`sum by (pod) (topk(3, max by (table, pod) (86400 * deriv(inbox_rows[1d]))))`: "summed over the pods of inbox_rows",
		`inbox_rows`:                            "every replica reports the same inbox_rows",
		`max(sum by (table) (db_table_bytes))`:  "every replica reports the same db_table_bytes",
		high + " - " + low:                      "a difference of two quantiles",
		`sum(` + high + ` - on () ` + low + `)`: "a difference of two quantiles",
		`quantile(0.9, up) - quantile(0.1, up)`: "a difference of two quantiles",
	} {
		require.ErrorContains(t, vocabulary.Misleading(bad, vocabulary.Beside), problem)
	}
}

// Stacked lines are summed.
func TestMisleading_stackedByPod(t *testing.T) {
	t.Parallel()
	for _, good := range []string{`max by (status) (refunds_open)`, `sum by (job, pod) (http_requests_in_flight)`} {
		require.NoError(t, vocabulary.Misleading(good, vocabulary.Stacked))
	}
	const bad = `topk(15, max by (table, $split) (db_table_bytes))`
	require.NoError(t, vocabulary.Misleading(bad, vocabulary.Beside))
	require.ErrorContains(t, vocabulary.Misleading(bad, vocabulary.Stacked), "summed over the pods of db_table_bytes")
}
