package store

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/orders/internal/order"
)

func TestEveryStatementIsFencedByTheSeller(t *testing.T) {
	t.Parallel()
	pgtest.RequireTenantQueries(t, queries, map[string]string{
		"Now":            "reads no table",
		"FindSellers":    "says whose an order is",
		"TakeNumbers":    "says whose an order is; the marketplace places it",
		"FindPlaced":     "says whose an order is; the marketplace knows all",
		"FindTakenItems": "item ids are unique over all sellers",
		"TakeItemID":     "item ids are unique over all sellers",
		"MarkReleased":   "holds nothing of any seller",
		"FindAct":        "operators work for no seller",
		"TakeAct":        "operators work for no seller",
		"OrdersOfMember": "a member's orders are of any seller",
		"ForgetMember":   "a member's orders are of any seller",
		"ArchiveOrder":   "the function is told the seller and looks whether it is in sight",
		"BringBack":      "the function is told the seller and looks whether it is in sight",
		"CountOrders":    "a metric over all sellers",
		"AgeOfDeadlines": "a metric over all sellers",
	})
}

// The time of business has one source, which knows whose business it is.
func TestStatements_takeTheTimeFromOneClock(t *testing.T) {
	t.Parallel()
	pgtest.RequireSellerTime(t, queries, map[string]string{
		"DueOrders": "bounds an index; what is found is judged by the seller's time", "AgeOfDeadlines": "a metric",
		"EndedOrders": "bounds an index; what is found is judged by the seller's time",
	})
}

// A state that the list can be asked for and that has no index of its own would be answered by reading all orders.
func TestEveryVisibleStateHasItsIndexes(t *testing.T) {
	t.Parallel()
	_, db := setup(t)
	for _, state := range order.VisibleStates() {
		alone := "seller_orders_with_" + string(state)
		if state.Terminal() {
			alone = "seller_orders_ended_" + string(state)
		}
		for _, name := range []string{alone, "seller_orders_with_" + string(state) + "_by_status"} {
			var definition string
			err := db.Pool.QueryRow(t.Context(),
				"select indexdef from pg_indexes where schemaname = current_schema() and indexname = $1", name).Scan(&definition)
			require.NoError(t, err, name)
			require.Contains(t, definition, "line_states @> '{"+string(state)+"}'::text[]")
		}
	}
}

func TestTheDatabaseKnowsTheSameStatesAsTheTable(t *testing.T) {
	t.Parallel()
	_, db := setup(t)
	var check string
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select pg_get_constraintdef(oid) from pg_constraint
		where conrelid = 'lines'::regclass and conname = 'lines_item_status_check'`).Scan(&check))
	for _, state := range order.States() {
		require.Contains(t, check, "'"+string(state)+"'")
	}
}

// Without them the plan of a page would follow statistics; that is slow, not wrong, and nobody would notice.
func TestEveryConnectionHasTheSettingsThatPlansRelyOn(t *testing.T) {
	t.Parallel()
	_, db := setup(t)
	for name, wanted := range Settings() {
		var value string
		require.NoError(t, db.Pool.QueryRow(t.Context(), "select current_setting($1)", name).Scan(&value))
		require.Equal(t, wanted, value, name)
	}
}
