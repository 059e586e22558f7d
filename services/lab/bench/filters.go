package bench

import (
	"fmt"
	"net/url"
	"time"
)

type filter struct {
	parameter, name string
	// polled says that ERPs poll it, so that it must not grow with the number of orders.
	polled bool
	values func(*benchmark, *world) url.Values
}

// period is a range of times by age, and the corresponding part of a world's orders in the sequence in which they were
// filled in. All periods except the last contain more than a page of orders even when there are only a thousand.
type period struct {
	name       string
	from, upTo time.Duration
	part       [2]float64
	polled     bool
}

var periods = []period{
	{"lately", day, 0, [2]float64{0.8, 1}, true},
	{"some time ago", 14 * day, 4 * day, [2]float64{0.3, 0.55}, true},
	{"long past", 180 * day, 60 * day, [2]float64{0, 0.1}, false},
	{"a day long past", 101 * day, 100 * day, [2]float64{0.05, 0.051}, false},
}

// between returns the bounds of a range of times by age.
func between(parameter string, p period) func(*benchmark, *world) url.Values {
	return func(b *benchmark, _ *world) url.Values {
		return url.Values{parameter + "_gte": {ago(b.base, p.from)}, parameter + "_lte": {ago(b.base, p.upTo)}}
	}
}

func equal(parameter, value string) func(*benchmark, *world) url.Values {
	return func(*benchmark, *world) url.Values { return url.Values{parameter: {value}} }
}

// filters returns values of every parameter in the contract. For states, it uses one that most orders are in and one that
// few are in; paid is one that ERPs poll.
func filters() []filter {
	var all []filter
	for _, p := range periods {
		all = append(all, filter{"paid_at", "paid_at " + p.name, p.polled, between("paid_at", p)},
			filter{"updated_at", "updated_at " + p.name, true, func(b *benchmark, w *world) url.Values {
				if w.processed {
					return between("updated_at", p)(b, w)
				}
				return url.Values{"updated_at_gte": {w.during(p.part[0])}, "updated_at_lte": {w.during(p.part[1])}}
			}})
		for _, to := range []string{"confirmed", "canceled"} {
			all = append(all, filter{
				"status_changed", fmt.Sprintf("status_changed to %s %s", to, p.name), p.polled,
				func(b *benchmark, w *world) url.Values {
					values := between("status_changed_at", p)(b, w)
					values.Set("status_changed_to", to)
					return values
				},
			})
		}
	}
	for _, status := range []string{"confirmed", "canceled"} {
		all = append(all, filter{"order_status", "order_status " + status, false, equal("order_status", status)})
	}
	for _, status := range []string{"paid", "confirmed", "exchanged"} {
		all = append(all, filter{"item_status", "item_status " + status, status == "paid", equal("item_status", status)})
	}
	return append(all, filter{"order_no", "order_no", true, func(_ *benchmark, w *world) url.Values {
		return url.Values{"order_no": {w.anOrder}}
	}})
}

// combination is one filter or a pair of filters of different parameters; an empty one is the plain list.
type combination []filter

// combinations returns the list without a filter, every filter, and every pair.
func combinations() []combination {
	all, single := []combination{{}}, filters()
	for _, one := range single {
		all = append(all, combination{one})
	}
	for i, one := range single {
		for _, other := range single[i+1:] {
			if one.parameter != other.parameter {
				all = append(all, combination{one, other})
			}
		}
	}
	return all
}

func (c combination) name() string {
	switch len(c) {
	case 0:
		return "no filter"
	case 1:
		return c[0].name
	default:
		return c[0].name + " + " + c[1].name
	}
}

func (c combination) target(b *benchmark, w *world) string {
	all := url.Values{}
	for _, one := range c {
		for name, values := range one.values(b, w) {
			all[name] = values
		}
	}
	target := list("orders", w.page, all)
	return target.String()
}
