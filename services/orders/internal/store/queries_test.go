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
		"Now":             "reads no table",
		"InsertOrders":    "an order belongs to all of its sellers; the marketplace places it",
		"FindPlaced":      "answers the marketplace, which knows all orders",
		"FindTakenItems":  "item ids are unique over all sellers",
		"TakeShipmentIDs": "reads no table",
		"LockOrder":       "locks what belongs to all sellers of the order; the marketplace reports on the whole of it",
		"EndPayment":      "an order is paid as a whole",
		"LockPaidOrder":   "for callers who work for no seller: the marketplace, claims, the service's own sweep",
		"SaveItem":        "writes an item of a locked order, which was found by its seller",
		"DueOrders":       "the service's own sweep works for all sellers",
		"CountOrders":     "a metric over all sellers",
		"AgeOfDeadlines":  "a metric over all sellers",
		"FindAct":         "operators work for no seller",
		"IsActTaken":      "an operator acts on the lines of all sellers",
		"ForgetContacts":  "a member's orders are of any seller",
		"OrderOfHold":     "answers claims, which knows the orders of all sellers",
		"AddHoldItems":    "belongs to a row that has the seller",
		"AddReleasedHold": "holds nothing of any seller",
		"SaveHold":        "the hold was found by its claim, whose order is locked",
		"SaveHoldItems":   "belongs to a row that has the seller",
		"AddTouch":        "belongs to a row that has the seller",
	})
}

// The time of business has one source, which knows whose business it is.
func TestStatements_takeTheTimeFromOneClock(t *testing.T) {
	t.Parallel()
	pgtest.RequireSellerTime(t, queries, map[string]string{
		"DueOrders": "bounds an index; what is found is judged by the seller's time", "AgeOfDeadlines": "a metric",
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
