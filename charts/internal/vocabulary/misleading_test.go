package vocabulary_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/charts/internal/vocabulary"
)

// Three replicas that see ten orders are ten orders, and 95 % less 95 % is no time that anything takes.
func TestMisleading_twoKinds(t *testing.T) {
	t.Parallel()
	const high, low = `histogram_quantile(0.95, sum by (le) (rate(a_bucket[5m])))`, `histogram_quantile(0.95, sum by (le) (rate(b_bucket[5m])))`
	for _, good := range []string{
		`sum(max by (item_status) (orders_open))`, `max(saga_oldest_pending_seconds)`, `topk(15, max by (table) (86400 * deriv(db_table_bytes[1d])))`,
		`sum(db_pool_connections)`, high, high + " / " + low,
	} {
		require.NoError(t, vocabulary.Misleading(good))
	}
	for bad, problem := range map[string]string{
		`sum by (item_status) (orders_open)`:    "every replica reports the same orders_open",
		`inbox_rows`:                            "every replica reports the same inbox_rows",
		`max(sum by (table) (db_table_bytes))`:  "every replica reports the same db_table_bytes",
		high + " - " + low:                      "a difference of two quantiles",
		`sum(` + high + ` - on () ` + low + `)`: "a difference of two quantiles",
		`quantile(0.9, up) - quantile(0.1, up)`: "a difference of two quantiles",
	} {
		require.ErrorContains(t, vocabulary.Misleading(bad), problem)
	}
}
