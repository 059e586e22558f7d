package bench

import (
	"errors"
	"math"
	"slices"

	"sellerapi.dev/pkg/launch/goal"
)

// errNotMeasured is returned when a figure is missing because its part was not selected.
var errNotMeasured = errors.New("not measured")

type bar struct {
	goal.Bar
	of func(*Report) (float64, error)
}

// listPages are the pages that have to keep up with pgbench.
var listPages = []string{"orders, first page", "orders, last page", "orders, oldest page"}

// A time is compared with another time of the same run, because machines differ and are busy with other things; memory is
// not, because it differs little between machines.
func bars() []bar {
	var all []bar
	for _, name := range listPages {
		all = append(all,
			bar{goal.Bar{Name: name + ", of pgbench", AtLeast: 0.6}, ratioTo(name, sameStatements)},
			bar{
				goal.Bar{Name: name + ", CPU of the services, of compressing the page", Unit: "x", AtMost: 5},
				over(name, name, servicesCPU, compressing),
			})
	}
	for _, name := range []string{"claims page", "inquiries page"} {
		all = append(all,
			bar{
				goal.Bar{Name: name + ", time of orders' first page", Unit: "x", AtMost: 1.3},
				over(name, listPages[0], closedLatency, closedLatency),
			},
			bar{
				goal.Bar{Name: name + ", CPU of orders' first page", Unit: "x", AtMost: 1.3},
				over(name, listPages[0], servicesCPU, servicesCPU),
			})
	}
	for _, name := range []string{shipmentAlone, shipmentsMany, shipmentsOne} {
		all = append(all, bar{goal.Bar{Name: name + ", of the least transaction", AtLeast: 0.6}, ratioTo(name, leastTransaction)})
	}
	for _, imported := range []bool{false, true} {
		polled := map[bool]string{false: "polled filters, ", true: "polled filters, imported orders, "}[imported]
		name := map[bool]string{false: "any filters, ", true: "any filters, imported orders, "}[imported]
		all = append(all,
			bar{
				goal.Bar{Name: polled + "growth", Unit: "x", AtMost: 1.3},
				worst(imported, polledGrowth),
			},
			bar{
				goal.Bar{Name: name + "median, of the list without filters", Unit: "x", AtMost: 40},
				worst(imported, timesPlain(GrowthReport.p50)),
			},
			bar{
				goal.Bar{Name: name + "cold, of the list without filters", Unit: "x", AtMost: 40},
				worst(imported, timesPlain(GrowthReport.cold)),
			})
	}
	return append(all,
		bar{goal.Bar{Name: "a batch of 500 against " + oneByOne, Unit: "x", AtLeast: 8}, timesTheBatch(oneByOne)},
		bar{goal.Bar{Name: "a batch of 500 against " + sideBySide, Unit: "x", AtLeast: 4}, timesTheBatch(sideBySide)},
		bar{goal.Bar{Name: "four services, idle", Unit: "MiB", AtMost: 120}, footprint(FootprintReport.total)},
		bar{goal.Bar{Name: "idle connections", Unit: "MiB", AtMost: 32}, footprint(func(f FootprintReport) float64 { return f.Added })})
}

func (r *Report) call(name string) (CallReport, error) {
	n := slices.IndexFunc(r.Calls, func(c CallReport) bool { return c.Name == name })
	if n < 0 {
		return CallReport{}, errNotMeasured
	}
	return r.Calls[n], nil
}

func ratioTo(name, side string) func(*Report) (float64, error) {
	return func(r *Report) (float64, error) {
		c, err := r.call(name)
		if err != nil {
			return 0, err
		}
		return c.Sides[throughGateway].PerSecond.Median / c.Sides[side].PerSecond.Median, nil
	}
}

func servicesCPU(name string) func(*Report) (float64, error) {
	return func(r *Report) (float64, error) {
		c, err := r.call(name)
		if err != nil {
			return 0, err
		}
		var total float64
		for _, service := range services {
			total += c.Sides[throughGateway].CPU[service].Median
		}
		return total / 1000, nil
	}
}

// closedLatency returns the median latency of a closed loop, in milliseconds. It is comparable between calls, because all
// have the same number of requests in flight.
func closedLatency(name string) func(*Report) (float64, error) {
	return func(r *Report) (float64, error) {
		c, err := r.call(name)
		return c.Sides[throughGateway].P50.Median / 1000, err
	}
}

func compressing(name string) func(*Report) (float64, error) {
	return func(r *Report) (float64, error) {
		c, err := r.call(name)
		return c.Compressing / 1000, err
	}
}

type figure func(name string) func(*Report) (float64, error)

func over(name, other string, of, by figure) func(*Report) (float64, error) {
	return func(r *Report) (float64, error) {
		one, err := of(name)(r)
		if err != nil {
			return 0, err
		}
		two, err := by(other)(r)
		return one / two, err
	}
}

func timesTheBatch(name string) func(*Report) (float64, error) {
	return func(r *Report) (float64, error) {
		n := slices.IndexFunc(r.Batches, func(b BatchReport) bool { return b.Name == name })
		if n < 0 {
			return 0, errNotMeasured
		}
		return r.Batches[n].TimesTheBatch, nil
	}
}

// worst returns the largest figure of all filters, of imported orders or of others. It is computed from the report of a filter
// and from that of the list without filters.
func worst(imported bool, of func(one, plain GrowthReport) float64) func(*Report) (float64, error) {
	return func(r *Report) (float64, error) {
		n := slices.IndexFunc(r.Growth, func(g GrowthReport) bool { return g.Imported == imported && g.Name == combination{}.name() })
		if n < 0 {
			return 0, errNotMeasured
		}
		largest := 0.0
		for _, one := range r.Growth {
			if one.Imported == imported {
				largest = max(largest, of(one, r.Growth[n]))
			}
		}
		if math.IsNaN(largest) || math.IsInf(largest, 0) {
			return 0, errNotMeasured // of the list without filters
		}
		return largest, nil
	}
}

// polledGrowth returns the growth of the lists that clients poll. A page of any other list may read more of more orders, up to
// its bound.
func polledGrowth(one, _ GrowthReport) float64 {
	for _, f := range one.combination {
		if f.parameter != "updated_at" && f.parameter != "order_no" {
			return 0
		}
	}
	return one.Ratio
}

func timesPlain(of func(GrowthReport) float64) func(one, plain GrowthReport) float64 {
	return func(one, plain GrowthReport) float64 { return of(one) / of(plain) }
}

func footprint(of func(FootprintReport) float64) func(*Report) (float64, error) {
	return func(r *Report) (float64, error) {
		if r.Footprint == nil {
			return 0, errNotMeasured
		}
		return of(*r.Footprint), nil
	}
}

func (b *benchmark) compareWithBars() error {
	for _, one := range bars() {
		value, err := one.of(&b.report)
		if errors.Is(err, errNotMeasured) {
			continue
		}
		if err != nil {
			return err
		}
		b.report.Goals = append(b.report.Goals, one.Compare(value))
	}
	return goal.Print(b.Out, b.report.Goals)
}
