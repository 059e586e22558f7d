package store

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/orders/internal/order"
)

// filledOrders is the number of orders of the seller in these tests. It is far above what any plan below may touch.
const filledOrders = 20_000

// cost is the limit for a page of 50: rows that any step of a plan returns or discards, and blocks that the whole of it reads.
type cost struct{ rows, blocks float64 }

var (
	pageCost = cost{rows: 1_000, blocks: 1_500}
	// importedCost is for a seller whose orders were imported.
	importedCost = cost{rows: 1_000, blocks: 4_000}
	// mixedCost is for a seller whose orders are in every combination of states.
	mixedCost = cost{rows: 15_000, blocks: 3_000}
)

type plan struct {
	Type    string  `json:"Node Type"`
	Index   string  `json:"Index Name"`
	Cond    string  `json:"Index Cond"`
	Rows    float64 `json:"Actual Rows"`
	Loops   float64 `json:"Actual Loops"`
	Removed float64 `json:"Rows Removed by Filter"`
	Hit     float64 `json:"Shared Hit Blocks"`
	Read    float64 `json:"Shared Read Blocks"`
	Plans   []plan  `json:"Plans"`
}

// indexes returns every index of the plan, also of the parts that were not executed.
func (p plan) indexes() []string {
	names := []string{p.Index}
	for _, below := range p.Plans {
		names = append(names, below.indexes()...)
	}
	return names
}

// visit calls fn for the node and all its descendants that were executed.
func (p plan) visit(fn func(plan)) {
	if p.Loops == 0 {
		return
	}
	fn(p)
	for _, below := range p.Plans {
		below.visit(fn)
	}
}

func (f filled) explain(tb testing.TB, statement string, args []any) plan {
	tb.Helper()
	text := pgtest.ExplainPrepared(tb, postgres.OfSeller(f.secured, f.seller), nil, statement, args)
	var explained []struct{ Plan plan }
	require.NoError(tb, json.Unmarshal(text, &explained))
	return explained[0].Plan
}

// fullReads are the plan steps that read tables or sets of rows as a whole.
var fullReads = []string{"Seq Scan", "Bitmap Heap Scan", "Hash Join", "Merge Join"}

// requireServed fails unless the plan uses the index, reads no table as a whole, and stays within its cost.
func requireServed(tb testing.TB, root plan, index, name string) {
	tb.Helper()
	indexes := map[string]bool{}
	root.visit(func(node plan) { indexes[node.Index] = true })
	require.Contains(tb, indexes, index, name)
	requireCheap(tb, root, pageCost, name)
}

// requireCheap fails unless the plan reads no table as a whole and stays within its cost.
func requireCheap(tb testing.TB, root plan, most cost, name string) {
	tb.Helper()
	root.visit(func(node plan) {
		require.NotContains(tb, fullReads, node.Type, name)
		require.LessOrEqual(tb, node.Loops*(node.Rows+node.Removed), most.rows, "%s: %s %s", name, node.Type, node.Index)
	})
	require.LessOrEqual(tb, root.Hit+root.Read, most.blocks, name)
}

type served struct {
	filter order.Filter
	after  *paging.Position
	index  string
}

// allServed returns every filter of the list, matching many orders and few, on the first page and on a late one.
func allServed(f filled) map[string]served {
	ago := func(days float64) *time.Time { return ptr(f.now.Add(-time.Duration(days * float64(24*time.Hour)))) }
	deep := &paging.Position{UpdatedAt: *ago(700), ID: uuid.UUID{15: 1}}
	return map[string]served{
		"none":              {index: "seller_orders_latest"},
		"none, a late page": {after: deep, index: "seller_orders_latest"},
		"updated":           {filter: order.Filter{Updated: order.Range{From: ago(0.1)}}, index: "seller_orders_latest"},
		"updated long ago": {
			filter: order.Filter{Updated: order.Range{From: ago(500), Until: ago(400)}},
			index:  "seller_orders_latest",
		},
		"status of most":      {filter: order.Filter{Status: order.StatusConfirmed}, index: "seller_orders_by_kind"},
		"status of few":       {filter: order.Filter{Status: order.StatusPreparing}, index: "seller_orders_by_kind"},
		"status of none":      {filter: order.Filter{Status: order.StatusPartiallyClaimed}, index: "seller_orders_by_kind"},
		"status, a late page": {filter: order.Filter{Status: order.StatusConfirmed}, after: deep, index: "seller_orders_by_kind"},
		"items of most":       {filter: order.Filter{ItemState: order.Confirmed}, index: "seller_orders_by_kind"},
		"items of few":        {filter: order.Filter{ItemState: order.Returned}, index: "seller_orders_by_kind"},
		"items of none":       {filter: order.Filter{ItemState: order.Exchanged}, index: "seller_orders_by_kind"},
		"items, a late page":  {filter: order.Filter{ItemState: order.Confirmed}, after: deep, index: "seller_orders_by_kind"},
		"status and items": {
			filter: order.Filter{Status: order.StatusConfirmed, ItemState: order.Confirmed},
			index:  "seller_orders_by_kind",
		},
		"status and items, none": {
			filter: order.Filter{Status: order.StatusPaid, ItemState: order.Confirmed},
			index:  "seller_orders_by_kind",
		},
		"number":         {filter: order.Filter{No: "F-9"}, index: "orders_order_no"},
		"number and all": {filter: allFilters(f), index: "orders_order_no"},
		"paid up to now": {
			filter: order.Filter{Paid: order.Range{From: ago(1), Until: ago(0)}},
			index:  "seller_orders_latest",
		},
		"paid on a day": {
			filter: order.Filter{Paid: order.Range{From: ago(2), Until: ago(1)}},
			index:  "seller_orders_by_kind",
		},
		"paid in a month long ago": {
			filter: order.Filter{Paid: order.Range{From: ago(430), Until: ago(400)}},
			index:  "seller_orders_by_kind",
		},
		"paid since": {filter: order.Filter{Paid: order.Range{From: ago(20)}}, index: "seller_orders_latest"},
		"paid until": {filter: order.Filter{Paid: order.Range{Until: ago(600)}}, index: "seller_orders_by_kind"},
		"paid and status of most": {filter: order.Filter{
			Paid:   order.Range{From: ago(3), Until: ago(2)},
			Status: order.StatusConfirmed,
		}, index: "seller_orders_by_kind"},
		"paid and status of few": {filter: order.Filter{
			Paid:   order.Range{From: ago(3), Until: ago(2)},
			Status: order.StatusShipping,
		}, index: "seller_orders_by_kind"},
		"paid and items of most": {
			filter: order.Filter{Paid: order.Range{Until: ago(600)}, ItemState: order.Confirmed},
			index:  "seller_orders_by_kind",
		},
		"paid and items of few": {
			filter: order.Filter{Paid: order.Range{Until: ago(2)}, ItemState: order.Returned},
			index:  "seller_orders_by_kind",
		},
		"changed, most":             {filter: changed("delivered", ago(1000), nil), index: "seller_orders_by_kind"},
		"changed, most, late page":  {filter: changed("delivered", ago(1000), nil), after: deep, index: "seller_orders_by_kind"},
		"changed, most, final":      {filter: changed("confirmed", ago(1000), nil), index: "seller_orders_by_kind"},
		"changed in a past year":    {filter: changed("shipping", ago(700), ago(350)), index: "seller_orders_by_kind"},
		"changed, past year, final": {filter: changed("canceled", ago(700), ago(50)), index: "seller_orders_by_kind"},
		"paid in a past year":       {filter: changed("paid", ago(700), ago(350)), index: "seller_orders_by_kind"},
		"changed, past year, status of most": {
			filter: order.Filter{Status: order.StatusConfirmed, Change: changed("shipping", ago(700), ago(350)).Change},
			index:  "seller_orders_by_kind",
		},
		"changed, past year, status of few": {
			filter: order.Filter{Status: order.StatusPreparing, Change: changed("shipping", ago(700), ago(350)).Change},
			index:  "seller_orders_by_kind",
		},
		"changed, few":            {filter: changed("shipping", ago(401), ago(400)), index: "status_changes_by_hour"},
		"changed, none":           {filter: changed("exchanged", ago(1000), nil), index: "status_changes_by_hour"},
		"changed, rare and final": {filter: changed("returned", ago(1000), ago(0)), index: "status_changes_by_hour"},
		"changed lately":          {filter: changed("shipping", ago(2.5), nil), index: "status_changes_by_hour"},
	}
}

// The cost of a page does not grow with the number of orders. A plan that sorts or reads the seller's orders fails here, long
// before a seller has a million of them.
func TestList_everyFilterServedByIndex(t *testing.T) {
	t.Parallel()
	f := fill(t, filledOrders)
	for name, c := range allServed(f) {
		statement, args := listStatement(f.seller, c.filter, c.after, 51, f.now)
		requireServed(t, f.explain(t, statement, args), c.index, name)
	}
}

// A connection may keep a plan that was made for empty tables. The same plan must be right with a million orders.
func TestList_planMadeWhileTablesAreSmall(t *testing.T) {
	t.Parallel()
	_, db := setup(t)
	empty := filled{db: db, secured: db.AsService(t), seller: uuid.New(), now: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC)}
	for size, f := range map[string]filled{
		"empty": empty, "small": fill(t, 30),
		"many orders of few weeks": fillDays(t, 5_000, 20),
	} {
		for name, c := range allServed(f) {
			name = size + ": " + name
			statement, args := listStatement(f.seller, c.filter, c.after, 51, f.now)
			root := f.explain(t, statement, args)
			require.Contains(t, root.indexes(), c.index, name)
			root.visit(func(node plan) { require.NotContains(t, fullReads, node.Type, name) })
			root.all(func(node plan) { require.NotRegexp(t, bare, node.Cond, name+", "+node.Index) })
		}
	}
}

// The detail is served by the index on the number of the order.
func TestFind_servedByIndex(t *testing.T) {
	t.Parallel()
	f := fill(t, 2000)
	for _, no := range []string{"F-1", "NONE"} {
		requireServed(t, f.explain(t, page("FindOrder", queries.Text("FindOrder")), []any{f.seller, no}), "orders_order_no", no)
	}
}

func changed(to order.State, from, until *time.Time) order.Filter {
	return order.Filter{Change: &order.ChangeFilter{To: to, At: order.Range{From: from, Until: until}}}
}

func allFilters(f filled) order.Filter {
	all := changed(order.Confirmed, ptr(f.now.Add(-900*24*time.Hour)), &f.now)
	all.No, all.Status, all.ItemState = "F-9000", order.StatusConfirmed, order.Confirmed
	all.Paid, all.Updated = order.Range{Until: &f.now}, order.Range{Until: &f.now}
	return all
}
