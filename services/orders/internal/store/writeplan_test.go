package store

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"
)

var parameter = regexp.MustCompile(`\$\d+`)

func (f filled) generic(t *testing.T, name string) plan {
	t.Helper()
	statement := sent(name)
	numbers := parameter.FindAllString(statement, -1)
	slices.Sort(numbers)
	nulls := strings.Repeat(", null", len(slices.Compact(numbers)))
	conn, err := f.secured.Acquire(t.Context())
	require.NoError(t, err)
	defer conn.Release()
	_, err = conn.Exec(t.Context(), "prepare planned as "+statement, pgx.QueryExecModeSimpleProtocol)
	require.NoError(t, err, name)
	defer func() {
		_, err := conn.Exec(t.Context(), "deallocate planned", pgx.QueryExecModeSimpleProtocol)
		require.NoError(t, err)
	}()
	var text []byte
	err = conn.QueryRow(t.Context(), "explain (format json) execute planned("+strings.TrimPrefix(nulls, ", ")+")",
		pgx.QueryExecModeSimpleProtocol).Scan(&text)
	require.NoError(t, err, name)
	var explained []struct{ Plan plan }
	require.NoError(t, json.Unmarshal(text, &explained))
	return explained[0].Plan
}

func sent(name string) string {
	switch name {
	case "ReadPart":
		return readPart
	case "ReadParts":
		return readParts
	default:
		return queries.SQL(name)
	}
}

// all calls fn for the node and all its descendants, executed or not.
func (p plan) all(fn func(plan)) {
	fn(p)
	for _, below := range p.Plans {
		below.all(fn)
	}
}

// bare matches the condition of an index scan that finds all rows of a seller.
var bare = regexp.MustCompile(`^\(seller_id = (ANY \()?\$\d+\)?\)$`)

// A statement of the write path that reads a whole table, or all of a seller's rows in it, would keep an order and the clock of a
// seller locked for that time. A connection may keep a plan that was made for empty tables.
func TestStatements_writePathServedByIndex(t *testing.T) {
	t.Parallel()
	_, db := setup(t)
	empty := filled{db: db, secured: db.AsService(t)}
	for size, f := range map[string]filled{"empty": empty, "filled": fill(t, 5_000)} {
		requireWritePathServed(t, f, size)
	}
}

func requireWritePathServed(t *testing.T, f filled, size string) {
	t.Helper()
	for name, indexes := range map[string][]string{
		"LockHome":          {"orders_order_no"},
		"LockPart":          {"seller_orders_pkey"},
		"LockOwn":           {"orders_order_no"},
		"ReadPart":          {"orders_order_no", "lines_pkey", "seller_orders_pkey", "shipments_pkey"},
		"ReadParts":         {"orders_order_no", "lines_pkey", "seller_orders_pkey", "shipments_pkey"},
		"SaveItem":          {"lines_pkey"},
		"StampPaidOrder":    {"seller_orders_pkey"},
		"StampAtTick":       {"seller_orders_pkey", "seller_clock_pkey"},
		"DueOrders":         {"lines_due", "orders_pkey"},
		"DueOrdersOf":       {"lines_due", "orders_pkey"},
		"FindSellers":       {"order_numbers_pkey"},
		"LockOrder":         {"orders_order_no"},
		"EndPayment":        {"orders_pkey"},
		"EndPaymentOfItems": {"lines_pkey"},
		"StatesOfItems":     {"lines_pkey"},
		"FindHold":          {"hold_numbers_pkey"},
		"ReadHold":          {"claim_holds_pkey", "claim_hold_items_pkey"},
		"SaveHold":          {"claim_holds_pkey"},
		"SaveHoldItems":     {"claim_hold_items_pkey"},
		"FindAct":           {"act_ids_pkey"},
		"FindActOnItem":     {"operator_acts_pkey", "shipments_pkey"},
		"OrdersOfMember":    {"member_orders_pkey"},
		"ForgetContacts":    {"orders_pkey"},
		"ForgetMember":      {"member_orders_pkey"},
		"ShareMembers":      {"withdrawals_pkey"},
		"LastWithdrawals":   {"withdrawals_pkey"},
		"AwaitPlacements":   {"withdrawals_pkey"},
		"TouchOrder":        {"seller_orders_pkey"},
		"FindPlaced":        {"order_numbers_pkey"},
		"ItemsOfOrders":     {"lines_pkey"},
		"FindTakenItems":    {"item_ids_pkey"},
	} {
		if size == "empty" && slices.Contains([]string{"DueOrders", "DueOrdersOf", "FindActOnItem"}, name) {
			continue // they run rarely, and are planned again when there are statistics
		}
		used := map[string]bool{}
		f.generic(t, name).all(func(node plan) {
			used[node.Index] = true
			require.NotEqual(t, "Seq Scan", node.Type, name+", "+size)
			if node.Index != "seller_clock_pkey" { // which has one row per seller
				require.NotRegexp(t, bare, node.Cond, name+", "+size+", "+node.Index)
			}
		})
		for _, index := range indexes {
			require.Contains(t, used, index, name+", "+size)
		}
	}
}

// Every replica looks for due orders every few seconds: the scan must end at the current time, and not read all future deadlines.
func TestDueOrders_readsNoDeadlineToCome(t *testing.T) {
	t.Parallel()
	f := fill(t, 1_000)
	conditions := map[string]string{}
	f.generic(t, "DueOrders").all(func(node plan) { conditions[node.Index] = node.Cond })
	require.Contains(t, conditions["lines_due"], "auto_confirm_at <= ")
}
