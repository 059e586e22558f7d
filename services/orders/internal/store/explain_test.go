package store

import (
	"encoding/json"
	"math"
	"strings"
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
	// flatCost is for what clients of sellers ask for all the time.
	flatCost = cost{rows: 1_000, blocks: 4_000}
	// gatherCost is for ranges, whose entries are all read, up to the bound.
	gatherCost = cost{rows: 3_000, blocks: 4_000}
	// boundedCost is for everything else: of each entry of a walk, the history of the order may be read.
	boundedCost = cost{rows: 60_000, blocks: 30_000}
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

// requireServed fails unless the plan uses the index, reads no table as a whole, and stays within its cost. An index of a list is
// read without its table.
func requireServed(tb testing.TB, root plan, index string, most cost, name string) {
	tb.Helper()
	types := map[string]string{}
	root.visit(func(node plan) { types[node.Index] = node.Type })
	require.Contains(tb, types, index, name)
	if strings.HasPrefix(index, "seller_orders_") || strings.HasPrefix(index, "status_changes_") {
		require.Equal(tb, "Index Only Scan", types[index], name)
	}
	requireCheap(tb, root, most, name)
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
	most   cost
}

// allServed returns every filter of the list, matching many orders and few, on the first page and on a late one.
func allServed(f filled) map[string]served {
	ago := func(days float64) *time.Time { return ptr(f.now.Add(-time.Duration(days * float64(24*time.Hour)))) }
	paid := func(from, until *time.Time) order.Filter {
		return order.Filter{Paid: order.Range{From: from, Until: until}}
	}
	all := map[string]served{}
	add := func(index string, most cost, filters map[string]order.Filter) {
		for name, filter := range filters {
			all[name] = served{filter, nil, index, most}
			all[name+", late page"] = served{filter, &paging.Position{UpdatedAt: *ago(700), ID: uuid.UUID{15: 1}}, index, most}
		}
	}
	add("seller_orders_latest", flatCost, map[string]order.Filter{
		"none":             {},
		"updated lately":   {Updated: order.Range{From: ago(0.1)}},
		"updated long ago": {Updated: order.Range{From: ago(500), Until: ago(400)}},
		"status of most":   {Status: order.StatusConfirmed},
		"items of most":    {ItemState: order.Confirmed},
		"status and items": {Status: order.StatusConfirmed, ItemState: order.Confirmed},
		"changed, most":    changed(order.Delivered, ago(1000), nil),
		"paid, most":       paid(ago(600), nil),
	})
	add("seller_orders_open", flatCost, map[string]order.Filter{
		"status of few":          {Status: order.StatusPreparing},
		"items of few":           {ItemState: order.Shipping},
		"status and items, none": {Status: order.StatusPaid, ItemState: order.Confirmed},
	})
	add("orders_order_no", flatCost, map[string]order.Filter{"number": {No: "F-9"}, "number and all": allFilters(f)})
	add("seller_orders_paid", gatherCost, map[string]order.Filter{
		"paid lately":              paid(ago(1), nil),
		"paid on a day":            paid(ago(2), ago(1)),
		"paid in a month long ago": paid(ago(430), ago(400)),
		"paid and status of most":  {Paid: paid(ago(3), ago(2)).Paid, Status: order.StatusConfirmed},
		"paid and status of few":   {Paid: paid(ago(3), ago(2)).Paid, Status: order.StatusShipping},
	})
	add("seller_orders_ship_by", gatherCost, map[string]order.Filter{
		"to ship":                 {ShipBy: ago(-2)},
		"to ship, late":           {ShipBy: ago(0.1)},
		"to ship, none":           {ShipBy: ago(100)},
		"to ship and status":      {ShipBy: ago(-2), Status: order.StatusPaid, ItemState: order.Paid},
		"to ship and paid lately": {ShipBy: ago(-2), Paid: paid(ago(1), nil).Paid},
	})
	add("status_changes_pkey", gatherCost, map[string]order.Filter{
		"changed lately":          changed(order.Shipping, ago(2.5), nil),
		"changed, few":            changed(order.Shipping, ago(401), ago(400)),
		"changed, none":           changed(order.Exchanged, ago(1000), nil),
		"changed, rare and final": changed(order.Returned, ago(1000), ago(0)),
	})
	add("seller_orders_latest", boundedCost, map[string]order.Filter{
		"ended otherwise":      {ItemState: order.Returned},
		"ended, none":          {ItemState: order.Exchanged},
		"status of none":       {Status: order.StatusPartiallyClaimed},
		"paid until long ago":  paid(nil, ago(600)),
		"changed, a past year": changed(order.Shipping, ago(700), ago(350)),
		"paid in a past year":  {Change: changed(order.Paid, ago(700), ago(350)).Change, ItemState: order.Returned},
	})
	return all
}

// A page costs no more the more orders there are. A plan that sorts or reads the seller's orders fails here, long
// before a seller has a million of them.
func TestList_everyFilterServedByIndex(t *testing.T) {
	t.Parallel()
	f := fill(t, filledOrders)
	for name, c := range allServed(f) {
		statement, args := f.statement(t, c.filter, c.after)
		requireServed(t, f.explain(t, statement, args), c.index, c.most, name)
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
			gather := map[bool]int{true: -1, false: math.MaxInt32}[c.index == "seller_orders_latest"]
			statement, args := f.statementOf(t, f.store(gather, usualBounds.walk), c.filter, c.after)
			root := f.explain(t, statement, args)
			require.Contains(t, root.indexes(), c.index, name)
			root.visit(func(node plan) { require.NotContains(t, fullReads, node.Type, name) })
			root.all(func(node plan) { require.NotRegexp(t, bare, node.Cond, name+", "+node.Index) })
		}
	}
}

// Whether there are few enough entries to gather is known from an index alone, and after as many of them.
func TestList_countsWithinIndex(t *testing.T) {
	t.Parallel()
	f := fill(t, filledOrders)
	for name, c := range map[string]struct {
		args  []any
		index string
	}{
		"CountPaid":    {[]any{lower(nil), upper(nil)}, "seller_orders_paid"},
		"CountChanged": {[]any{"paid", lower(nil), upper(nil)}, "status_changes_pkey"},
		"CountToShip":  {[]any{upper(nil)}, "seller_orders_ship_by"},
	} {
		args := append([]any{f.seller, 500}, c.args...)
		requireServed(t, f.explain(t, queries.SQL(name), args), c.index, flatCost, name)
	}
}

// Where more orders are to be shipped than a page gathers, those that someone still works on are walked, and no other index.
func TestList_shipByWalksOpenOrders(t *testing.T) {
	t.Parallel()
	f := fill(t, filledOrders)
	statement, args := f.statementOf(t, f.store(-1, usualBounds.walk), order.Filter{ShipBy: ptr(f.now.AddDate(0, 0, 2))}, nil)
	requireServed(t, f.explain(t, statement, args), "seller_orders_open", flatCost, "walk")
}

// The detail is served by the index on the number of the order.
func TestFind_servedByIndex(t *testing.T) {
	t.Parallel()
	f := fill(t, 2000)
	for _, no := range []string{"F-1", "NONE"} {
		requireServed(t, f.explain(t, page(queries.SQL("FindOrder")), []any{f.seller, no}), "orders_order_no", flatCost, no)
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
