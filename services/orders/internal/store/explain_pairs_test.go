package store

import (
	"path"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
)

// manyOrders is how many orders the seller of the pairs has: as many blocks as the bound holds are a small part of them.
const manyOrders = 200_000

// pairBlocksMost is how many blocks a page of 50 may read: forty for each row that is asked for. Half of them are those of the
// order, its lines and its parcels.
const pairBlocksMost = 40 * 51

// value is a value of a parameter of the list.
type value struct {
	name string
	set  func(*order.Filter)
}

// ranges are spans of time that end now, lately and long ago, with and without either end.
func ranges(f filled) map[string]order.Range {
	ago := func(days int) *time.Time { return ptr(f.now.AddDate(0, 0, -days)) }
	return map[string]order.Range{
		"since 2 days":           {From: ago(2)},
		"since 600 days":         {From: ago(600)},
		"until 2 days ago":       {Until: ago(2)},
		"until 40 days ago":      {Until: ago(40)},
		"until 600 days ago":     {Until: ago(600)},
		"a day, 40 days ago":     {From: ago(41), Until: ago(40)},
		"a day, 600 days ago":    {From: ago(601), Until: ago(600)},
		"10 days, 600 days ago":  {From: ago(610), Until: ago(600)},
		"30 days, 30 days ago":   {From: ago(60), Until: ago(30)},
		"a year, 350 days ago":   {From: ago(715), Until: ago(350)},
		"a day before the first": {From: ago(801), Until: ago(800)},
	}
}

// values are those of every parameter. The first of each list of states is that of most orders; the others are those of few, of
// one in twenty, of one in a thousand, and of none.
func values(f filled) map[string][]value {
	all := map[string][]value{"number": {{"number", func(filter *order.Filter) { filter.No = "F-9000" }}}}
	add := func(parameter, name string, set func(*order.Filter)) {
		all[parameter] = append(all[parameter], value{parameter + " " + name, set})
	}
	all["change"] = []value{{"change to returned since 600 days", func(filter *order.Filter) {
		filter.Change = changed(order.Returned, ptr(f.now.AddDate(0, 0, -600)), nil).Change
	}}}
	for name, span := range ranges(f) {
		add("paid", name, func(filter *order.Filter) { filter.Paid = span })
		add("updated", name, func(filter *order.Filter) { filter.Updated = span })
		for _, state := range []order.State{order.Confirmed, order.Shipping} {
			add("change", "to "+string(state)+" "+name, func(filter *order.Filter) { filter.Change = &order.ChangeFilter{To: state, At: span} })
		}
	}
	for _, status := range []order.Status{order.StatusConfirmed, order.StatusPreparing, order.StatusCanceled, order.StatusPartiallyClaimed} {
		add("status", string(status), func(filter *order.Filter) { filter.Status = status })
	}
	for _, state := range []order.State{order.Confirmed, order.Shipping, order.Canceled, order.Returned, order.Exchanged} {
		add("item", string(state), func(filter *order.Filter) { filter.ItemState = state })
	}
	return all
}

// pairs calls fn for each value of each parameter alone and for each pair of values of two parameters.
func pairs(f filled, fn func(name string, filter order.Filter)) {
	parameters := []string{"paid", "updated", "change", "status", "item", "number"}
	all := values(f)
	for i, parameter := range parameters {
		for _, one := range all[parameter] {
			var alone order.Filter
			one.set(&alone)
			fn(one.name, alone)
			for _, other := range parameters[i+1:] {
				for _, two := range all[other] {
					both := alone
					two.set(&both)
					fn(one.name+" + "+two.name, both)
				}
			}
		}
	}
}

// above are the pairs that read more than pairBlocksMost, and what they may read at manyOrders. Names are patterns of path.Match.
// A row is not a permission: anyone who makes a statement that needs less lowers it.
var above = []struct {
	pattern string
	most    float64
}{
	// Sorting what a range of many days holds, at most 10,000 changes of about four blocks each; see mostHits.
	{"*change to * 10 days, 600 days ago*", 12_000},
	// One order in twenty is canceled, and the index of that state does not know when its orders were shipped or confirmed: the walk
	// looks at the rows of those that were changed since the range began.
	{"change to * + item canceled", 9_000},
	{"change to * + status canceled", 3_500},
	// More changes than are sorted, all long ago or of orders that were paid long ago: the walk passes, within its index, over all
	// orders that were changed since.
	{"*change to * a year, 350 days ago*", 4_500},
	{"*change to * until 600 days ago*", 4_500},
	{"paid * 600 days ago + change to * [su]*", 4_500},
	{"paid a* + change to shipping [su]*", 4_500},
}

// blocksOf is what a filter may read.
func blocksOf(t *testing.T, name string) float64 {
	t.Helper()
	for _, row := range above {
		matches, err := path.Match(row.pattern, name)
		require.NoError(t, err)
		if matches {
			return row.most
		}
	}
	return pairBlocksMost
}

// A page costs about the same whatever two filters are set, and however long ago the orders are that they ask for: a seller with
// many orders must not load the database by asking for old ones.
func TestEveryPairOfFiltersReadsAFewBlocks(t *testing.T) {
	t.Parallel()
	f := fill(t, manyOrders)
	over := map[string]float64{}
	pairs(f, func(name string, filter order.Filter) {
		statement, args := listStatement(f.seller, filter, nil, 51, f.now)
		root := f.explain(t, statement, args)
		if blocks := root.Hit + root.Read; blocks > blocksOf(t, name) {
			over[name] = blocks
		}
	})
	require.Empty(t, over)
}
