package store

import (
	"testing"
	"time"

	"sellerapi.dev/services/orders/internal/order"
)

// The numbers of orders of the seller in the tests of pairs; of the larger one, a page may touch only a part.
const (
	fewOrders  = 2_000
	manyOrders = 200_000
)

type value struct {
	name string
	set  func(*order.Filter)
}

// ranges returns ranges of time that end now, recently and long ago, with and without either bound.
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

// values returns those of every parameter. The first of each list of states is that of most orders; the others are those of
// few, of one in twenty, of one in a thousand, and of none.
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
			add("change", "to "+string(state)+" "+name, func(filter *order.Filter) {
				filter.Change = &order.ChangeFilter{
					To: state,
					At: span,
				}
			})
		}
	}
	for _, status := range []order.Status{
		order.StatusConfirmed, order.StatusPreparing, order.StatusCanceled,
		order.StatusPartiallyClaimed,
	} {
		add("status", string(status), func(filter *order.Filter) { filter.Status = status })
	}
	for name, days := range map[string]int{"in 2 days": 2, "now": 0, "600 days ago": -600} {
		at := f.now.AddDate(0, 0, days)
		add("ship", name, func(filter *order.Filter) { filter.ShipBy = &at })
	}
	for _, state := range []order.State{order.Confirmed, order.Shipping, order.Canceled, order.Returned, order.Exchanged} {
		add("item", string(state), func(filter *order.Filter) { filter.ItemState = state })
	}
	return all
}

func singles(f filled, fn func(name string, filter order.Filter)) {
	for _, parameter := range values(f) {
		for _, one := range parameter {
			var filter order.Filter
			one.set(&filter)
			fn(one.name, filter)
		}
	}
}

// pairs calls fn for each value of each parameter alone and for each pair of values of two parameters.
func pairs(f filled, fn func(name string, filter order.Filter)) {
	parameters := []string{"paid", "updated", "change", "status", "item", "ship", "number"}
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

// No page costs more than its bound, whatever two filters are set, however old the orders are, and however many the seller has: a
// seller with many orders must not load the database by requesting old ones.
func TestList_everyFilterPairIsBounded(t *testing.T) {
	t.Parallel()
	for size, f := range map[string]filled{"few": fill(t, fewOrders), "many": fill(t, manyOrders)} {
		pairs(f, func(name string, filter order.Filter) {
			statement, args := f.statement(t, filter, nil)
			requireCheap(t, f.explain(t, statement, args), boundedCost, size+": "+name)
		})
	}
}

// So it is for orders that were imported, which changed last long after their items did. Where vacuum cannot remove them yet, the
// entries that the import replaced are read too.
func TestList_importedIsBounded(t *testing.T) {
	t.Parallel()
	f := fill(t, manyOrders)
	f.exec(t, importSQL, "vacuum analyze seller_orders")
	most := cost{rows: boundedCost.rows, blocks: boundedCost.blocks + manyOrders/2}
	singles(f, func(name string, filter order.Filter) {
		statement, args := f.statement(t, filter, nil)
		requireCheap(t, f.explain(t, statement, args), most, name)
	})
}
