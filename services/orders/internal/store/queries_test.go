package store

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/orders/internal/order"
)

// Every statement is restricted to a seller, except those that have a reason not to be.
func TestStatements_fencedBySeller(t *testing.T) {
	t.Parallel()
	pgtest.RequireTenantQueries(t, queries, map[string]string{
		"Now":            "reads no table",
		"FindSellers":    "reads the directory of orders",
		"TakeNumbers":    "writes the directory of orders",
		"AwaitNumber":    "writes the directory of orders",
		"FindPlaced":     "reads the directory of orders",
		"FindTakenItems": "item ids are unique over all sellers",
		"TakeItemID":     "item ids are unique over all sellers",
		"MarkReleased":   "holds nothing of any seller",
		"FindAct":        "operators work for no seller",
		"TakeAct":        "operators work for no seller",
		"OrdersOfMember": "a member's orders are of any seller",
		"ForgetMember":   "a member's orders are of any seller",
		"MemberKey":      "members belong to no seller", "NoteMembers": "members belong to no seller",
		"ShareMembers": "members belong to no seller", "LastWithdrawals": "members belong to no seller",
		"Withdraw": "members belong to no seller", "AwaitPlacements": "members belong to no seller",
		"CountOrders":    "a metric over all sellers",
		"AgeOfDeadlines": "a metric over all sellers",
	})
}

// The business time has one source, which depends on the seller.
func TestStatements_takeTheTimeFromOneClock(t *testing.T) {
	t.Parallel()
	pgtest.RequireSellerTime(t, queries, map[string]string{
		"DueOrders": "bounds an index; what is found is compared with the seller's time", "AgeOfDeadlines": "a metric",
	})
}

// Codes are stored in rows: their documentation in the schema must match the program.
func TestCodes_areThoseOfTheSchema(t *testing.T) {
	t.Parallel()
	_, db := setup(t)
	statuses, bits := make([]string, 0, len(statusCodes)), make([]string, 0, len(stateOrder))
	for _, status := range order.Statuses() {
		statuses = append(statuses, fmt.Sprint(statusCode(status), " ", status))
	}
	for _, state := range order.VisibleStates() {
		bits = append(bits, fmt.Sprint(stateBits(order.SetOf(state)), " ", state))
	}
	for column, wanted := range map[string][]string{"order_status": statuses, "line_states": bits} {
		var comment string
		require.NoError(t, db.Pool.QueryRow(t.Context(), `select col_description(attrelid, attnum) from pg_attribute
			where attrelid = 'seller_orders'::regclass and attname = $1`, column).Scan(&comment))
		require.Equal(t, strings.Join(wanted, ", "), comment)
	}
}

// The database knows the same states as the table.
func TestSchema_knowsEveryState(t *testing.T) {
	t.Parallel()
	_, db := setup(t)
	var check string
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select pg_get_constraintdef(oid) from pg_constraint
		where conrelid = 'lines'::regclass and conname = 'lines_item_status_check'`).Scan(&check))
	for _, state := range order.States() {
		require.Contains(t, check, "'"+string(state)+"'")
	}
}

// Without these settings the plan of a page would depend on statistics, which is slow, not wrong, so other tests would not
// notice.
func TestSettings_onEveryConnection(t *testing.T) {
	t.Parallel()
	_, db := setup(t)
	for name, wanted := range postgres.PlannerSettings() {
		var value string
		require.NoError(t, db.Pool.QueryRow(t.Context(), "select current_setting($1)", name).Scan(&value))
		require.Equal(t, wanted, value, name)
	}
}
