package bench

import (
	"errors"
	"fmt"
	"slices"
)

// Goal is a bar and what was measured. One whose part was not measured is not in the report.
type Goal struct {
	Name  string  `json:"name"`
	Bar   string  `json:"bar"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
	Met   bool    `json:"met"`
}

// errNotMeasured says that a figure is missing because its part was not asked for.
var errNotMeasured = errors.New("not measured")

// bar is a goal before it is compared.
type bar struct {
	name, unit string
	// atLeast or atMost is the bar; the other one is 0.
	atLeast, atMost float64
	of              func(*Report) (float64, error)
}

// listPages are the pages that have to keep up with pgbench.
var listPages = []string{"orders, first page", "orders, last page", "orders, oldest page"}

// bars are what is to be reached.
func bars() []bar {
	var all []bar
	for _, name := range listPages {
		all = append(all,
			bar{name: name + ", of pgbench", atLeast: 0.6, of: ratioTo(name, sameStatements)},
			bar{name: name + ", CPU of the services", unit: "ms", atMost: 0.6, of: servicesCPU(name)})
	}
	for _, name := range []string{"claims page", "inquiries page"} {
		all = append(all,
			bar{name: name + ", time of orders' first page", unit: "x", atMost: 1.3, of: over(name, listPages[0], closedLatency)},
			bar{name: name + ", CPU of orders' first page", unit: "x", atMost: 1.3, of: over(name, listPages[0], servicesCPU)})
	}
	for _, name := range []string{shipmentAlone, shipmentsMany, shipmentsOne} {
		all = append(all, bar{name: name + ", of the least transaction", atLeast: 0.6, of: ratioTo(name, leastTransaction)})
	}
	return append(all,
		bar{name: "a batch of 500 against " + oneByOne, unit: "x", atLeast: 8, of: timesTheBatch(oneByOne)},
		bar{name: "a batch of 500 against " + sideBySide, unit: "x", atLeast: 4, of: timesTheBatch(sideBySide)},
		bar{name: "any filters, growth of the median", unit: "x", atMost: 1.3, of: worst(func(g GrowthReport) float64 { return g.Ratio })},
		bar{name: "any filters, median", unit: "ms", atMost: 20, of: worst(func(g GrowthReport) float64 { return g.p50() / 1000 })},
		bar{name: "any filters, cold", unit: "ms", atMost: 1000, of: worst(func(g GrowthReport) float64 { return g.Cold / 1000 })},
		bar{name: "four services, idle", unit: "MiB", atMost: 120, of: footprint(FootprintReport.total)},
		bar{name: "start to ready, slowest service", unit: "ms", atMost: 1000, of: footprint(FootprintReport.slowest)},
		bar{name: "idle connections", unit: "MiB", atMost: 32, of: footprint(func(f FootprintReport) float64 { return f.Added })})
}

// call finds a call.
func (r *Report) call(name string) (CallReport, error) {
	n := slices.IndexFunc(r.Calls, func(c CallReport) bool { return c.Name == name })
	if n < 0 {
		return CallReport{}, errNotMeasured
	}
	return r.Calls[n], nil
}

// ratioTo is the rate through the gateway over that of another side.
func ratioTo(name, side string) func(*Report) (float64, error) {
	return func(r *Report) (float64, error) {
		c, err := r.call(name)
		if err != nil {
			return 0, err
		}
		return c.Sides[throughGateway].PerSecond.Median / c.Sides[side].PerSecond.Median, nil
	}
}

// servicesCPU is what gateway and owner spend on a request, in milliseconds.
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

// closedLatency is the median of the latencies of a closed loop, in milliseconds: both calls have as many under way.
func closedLatency(name string) func(*Report) (float64, error) {
	return func(r *Report) (float64, error) {
		c, err := r.call(name)
		return c.Sides[throughGateway].P50.Median / 1000, err
	}
}

// over is a figure of one call over that of another.
func over(name, other string, figure func(string) func(*Report) (float64, error)) func(*Report) (float64, error) {
	return func(r *Report) (float64, error) {
		one, err := figure(name)(r)
		if err != nil {
			return 0, err
		}
		two, err := figure(other)(r)
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

// worst is the largest figure of all filters.
func worst(of func(GrowthReport) float64) func(*Report) (float64, error) {
	return func(r *Report) (float64, error) {
		if len(r.Growth) == 0 {
			return 0, errNotMeasured
		}
		largest := 0.0
		for _, one := range r.Growth {
			largest = max(largest, of(one))
		}
		return largest, nil
	}
}

func footprint(of func(FootprintReport) float64) func(*Report) (float64, error) {
	return func(r *Report) (float64, error) {
		if r.Footprint == nil {
			return 0, errNotMeasured
		}
		return of(*r.Footprint), nil
	}
}

// compareWithBars compares what was measured with the bars and prints them.
func (b *benchmark) compareWithBars() error {
	var rows [][]string
	for _, one := range bars() {
		value, err := one.of(&b.report)
		if errors.Is(err, errNotMeasured) {
			continue
		}
		if err != nil {
			return err
		}
		g := Goal{Name: one.name, Value: value, Unit: one.unit, Bar: fmt.Sprintf("≤ %g", one.atMost), Met: value <= one.atMost}
		if one.atLeast > 0 {
			g.Bar, g.Met = fmt.Sprintf("≥ %g", one.atLeast), value >= one.atLeast
		}
		b.report.Goals = append(b.report.Goals, g)
		rows = append(rows, []string{g.Name, fmt.Sprintf("%.2f %s", value, g.Unit), g.Bar, map[bool]string{true: "met", false: "MISSED"}[g.Met]})
	}
	if len(rows) == 0 {
		return nil
	}
	if _, err := fmt.Fprint(b.Out, "\ngoals\n\n"); err != nil {
		return err
	}
	return table(b.Out, "goal\tmeasured\tbar\t", rows)
}
