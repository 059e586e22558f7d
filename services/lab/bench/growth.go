package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// others is how many sellers share the orders that the largest one does not have.
const others = 20

// GrowthReport is the result for a page of one seller at every number of orders.
type GrowthReport struct {
	Name string `json:"name"`
	// Imported says that the orders' last change is their import, whenever they were paid, shipped and confirmed. Otherwise it is
	// the last change of their items, as of orders that the system has processed.
	Imported bool `json:"imported"`

	Sizes []SizeReport `json:"sizes"`
	// Ratio is the largest median divided by that of the smallest size, among the sizes whose pages have as many rows as
	// that of the smallest.
	Ratio float64 `json:"ratio"`
	// Cold is the time of the first call on the largest size after a restart of PostgreSQL with cold caches; 0 when it was
	// not measured.
	Cold float64 `json:"cold_us,omitempty"`

	combination combination
}

// SizeReport is the result for a page at one number of orders.
type SizeReport struct {
	Orders  int     `json:"orders"`
	Rows    int     `json:"rows"`
	P50     float64 `json:"p50_us"`
	Slowest float64 `json:"slowest_us"`
}

// p50 returns the median of the slowest size.
func (g GrowthReport) p50() float64 {
	return slices.MaxFunc(g.Sizes, func(a, b SizeReport) int { return cmp.Compare(a.P50, b.P50) }).P50
}

// cold returns the time of the first call after a restart; 0 when it was not measured.
func (g GrowthReport) cold() float64 { return g.Cold }

type growing struct {
	b       *benchmark
	systems []*system
	worlds  []*world
}

// partGrowth measures every filter and pair of filters for a seller with different numbers of orders, beside as many of others:
// first of orders as they were imported, then as if the system had processed them.
func (b *benchmark) partGrowth(ctx context.Context) (err error) {
	g := &growing{b: b}
	defer func() {
		for _, s := range g.systems {
			err = errors.Join(err, s.stop())
		}
	}()
	for _, size := range b.Sizes {
		if err := g.add(ctx, size); err != nil {
			return err
		}
	}
	if err := g.measureAll(ctx, true); err != nil {
		return err
	}
	if err := g.process(ctx); err != nil {
		return err
	}
	return g.measureAll(ctx, false)
}

func (g *growing) measureAll(ctx context.Context, imported bool) error {
	b, which := g.b, map[bool]string{true: "imported orders", false: "orders that were processed here"}[imported]
	b.say("measuring: %d filters and pairs of filters, %s", len(combinations()), which)
	reports := make([]GrowthReport, 0, len(combinations()))
	for _, one := range combinations() {
		measured, err := g.measure(ctx, one)
		if err != nil {
			return fmt.Errorf("%s: %w", one.name(), err)
		}
		measured.Imported = imported
		reports = append(reports, measured)
	}
	if err := g.cold(ctx, reports); err != nil {
		return fmt.Errorf("after a restart: %w", err)
	}
	b.report.Growth = append(b.report.Growth, reports...)
	return b.printGrowth(which, reports)
}

// process gives all orders the last change that they would have if they had not been imported.
func (g *growing) process(ctx context.Context) error {
	for _, w := range g.worlds {
		w.processed = true
		if err := execute(ctx, w.databaseURL, asProcessed, "vacuum full analyze orders.seller_orders", "checkpoint"); err != nil {
			return fmt.Errorf("set the last change of orders: %w", err)
		}
		if err := w.reconnect(ctx); err != nil { // PostgreSQL was restarted
			return err
		}
	}
	return nil
}

const asProcessed = `update orders.seller_orders so
	set updated_at = greatest(change.last, so.paid_at) + interval '20 milliseconds'
	from (select seller_id, order_id, max(changed_at) as last from orders.status_changes group by seller_id, order_id) change
	where change.seller_id = so.seller_id and change.order_id = so.order_id and so.paid_at is not null`

func (g *growing) add(ctx context.Context, size int) error {
	g.b.say("filling a marketplace of %d orders of one seller and %[1]d of others", size)
	s, err := g.b.newSystem(ctx, g.b.tree, fmt.Sprintf("growth-%d", size), []string{"orders", "gateway"})
	if err != nil {
		return err
	}
	g.systems = append(g.systems, s)
	sellers, err := dominated(others)
	if err != nil {
		return err
	}
	w, err := newWorld(ctx, g.b, s, goods{sellers: sellers, orders: 2 * size})
	if err != nil {
		return err
	}
	got, err := w.read(ctx, w.largest, "/open/v1/orders?limit=1")
	if err != nil || len(got.List) == 0 {
		return errors.Join(errors.New("the seller has no order"), err)
	}
	w.anOrder = got.List[0].OrderNo
	g.worlds = append(g.worlds, w)
	return nil
}

// growthWarm is how often a page is read before it is timed. A page whose ratio is above suspicious, which may be due to
// chance, is read again growthAgain times as often.
const (
	growthWarm  = 1
	growthAgain = 6
	suspicious  = 1.2
)

// measure reads the pages of a combination, the sizes in turns.
func (g *growing) measure(ctx context.Context, c combination) (GrowthReport, error) {
	report, err := g.measureTimes(ctx, c, g.b.GrowthCalls)
	if err == nil && report.Ratio > suspicious {
		report, err = g.measureTimes(ctx, c, growthAgain*g.b.GrowthCalls)
	}
	return report, err
}

func (g *growing) measureTimes(ctx context.Context, c combination, times int) (GrowthReport, error) {
	report := GrowthReport{Name: c.name(), combination: c, Sizes: make([]SizeReport, len(g.worlds))}
	taken := make([][]time.Duration, len(g.worlds))
	for n, w := range g.worlds {
		got, err := w.read(ctx, w.largest, c.target(g.b, w))
		if err != nil {
			return report, err
		}
		report.Sizes[n] = SizeReport{Orders: g.b.Sizes[n], Rows: len(got.List)}
	}
	for turn := range growthWarm + times {
		for n, w := range g.worlds {
			took, err := w.timed(ctx, get(c.target(g.b, w), w.largest.key))
			if err != nil {
				return report, err
			}
			if turn >= growthWarm {
				taken[n] = append(taken[n], took)
			}
		}
	}
	for n := range g.worlds {
		slices.Sort(taken[n])
		report.Sizes[n].P50, report.Sizes[n].Slowest = micros(middle(taken[n])), micros(taken[n][len(taken[n])-1])
	}
	report.Ratio = ratioOf(report.Sizes)
	return report, nil
}

// ratioOf returns how many times as long the slowest size takes as the first, among those with as many rows as the first.
func ratioOf(sizes []SizeReport) float64 {
	ratio := 1.0
	for _, one := range sizes[1:] {
		if one.Rows == sizes[0].Rows {
			ratio = max(ratio, one.P50/sizes[0].P50)
		}
	}
	return ratio
}

// timed sends a request on the connection that the world keeps for this purpose, and returns how long it took.
func (w *world) timed(ctx context.Context, request []byte) (time.Duration, error) {
	if w.link == nil {
		var err error
		if w.link, err = dial(ctx, w.env.GatewayURL); err != nil {
			return 0, err
		}
	}
	began := time.Now()
	err := w.link.do(request)
	return time.Since(began), err
}

// printed is how many of the slowest pairs, and of the pairs that grow most, are printed; the report has all.
const printed = 12

func (b *benchmark) printGrowth(which string, reports []GrowthReport) error {
	singles, pairs := []GrowthReport{}, []GrowthReport{}
	for _, one := range reports {
		if len(one.combination) < 2 {
			singles = append(singles, one)
		} else {
			pairs = append(pairs, one)
		}
	}
	slowest := slices.SortedFunc(slices.Values(pairs), func(a, b GrowthReport) int { return cmp.Compare(b.p50(), a.p50()) })
	growing := slices.SortedFunc(slices.Values(pairs), func(a, b GrowthReport) int { return cmp.Compare(b.Ratio, a.Ratio) })
	shown := slices.Concat(singles, slowest[:min(printed, len(slowest))])
	for _, one := range growing[:min(printed, len(growing))] {
		if !slices.ContainsFunc(shown, func(g GrowthReport) bool { return g.Name == one.Name }) {
			shown = append(shown, one)
		}
	}
	var names strings.Builder
	names.WriteString(which + ", filter")
	for _, size := range b.Sizes {
		fmt.Fprintf(&names, "\t%d: rows\tp50\tslowest", size)
	}
	names.WriteString("\tratio\tcold")
	rows := make([][]string, len(shown))
	for i, one := range shown {
		rows[i] = []string{one.Name}
		for _, size := range one.Sizes {
			rows[i] = append(rows[i], strconv.Itoa(size.Rows), milliseconds(size.P50), milliseconds(size.Slowest))
		}
		rows[i] = append(rows[i], fmt.Sprintf("%.2f", one.Ratio))
		if one.Cold > 0 {
			rows[i] = append(rows[i], milliseconds(one.Cold))
		}
	}
	return table(b.Out, names.String(), rows)
}
