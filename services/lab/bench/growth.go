package bench

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"sellerapi.dev/services/lab/report"
	"sellerapi.dev/services/lab/wire"
)

// others is how many sellers share the orders that the largest one does not have.
const others = 20

// grown is the result for a page of one seller at every number of orders.
type grown struct {
	combination combination
	sizes       []sized
}

// sized is the result for a page at one number of orders: its rows, and the median and the slowest of its times.
type sized struct {
	rows         int
	p50, slowest time.Duration
}

// slowest returns the median of the slowest size.
func (g grown) slowest() time.Duration {
	return slices.MaxFunc(g.sizes, func(a, b sized) int { return cmp.Compare(a.p50, b.p50) }).p50
}

// ratio returns how many times as long the slowest size takes as the first, among those with as many rows as the first: a page
// with 3 rows says nothing about one with 50.
func (g grown) ratio() float64 {
	ratio := 1.0
	for _, one := range g.sizes[1:] {
		if one.rows == g.sizes[0].rows {
			ratio = max(ratio, float64(one.p50)/float64(g.sizes[0].p50))
		}
	}
	return ratio
}

// isPolled reports whether ERPs poll the list: without filters, or with one that is polled.
func (g grown) isPolled() bool {
	return len(g.combination) == 0 || len(g.combination) == 1 && g.combination[0].polled
}

type growing struct {
	b       *benchmark
	systems []*system
	worlds  []*world
	links   []*wire.Link
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
	if err := g.measureAll(ctx, "imported orders"); err != nil {
		return err
	}
	if err := g.process(ctx); err != nil {
		return err
	}
	return g.measureAll(ctx, "orders that were processed here")
}

func (g *growing) measureAll(ctx context.Context, which string) error {
	g.b.say("measuring: %d filters and pairs of filters, %s", len(combinations()), which)
	g.links = nil // the gateways have closed what was idle
	for _, w := range g.worlds {
		l, err := wire.Dial(ctx, w.env.GatewayURL)
		if err != nil {
			return err
		}
		defer func() { _ = l.Close() }()
		g.links = append(g.links, l)
	}
	all := make([]grown, 0, len(combinations()))
	for _, one := range combinations() {
		measured, err := g.measure(ctx, one)
		if err != nil {
			return fmt.Errorf("%s: %w", one.name(), err)
		}
		all = append(all, measured)
	}
	g.compare(which, all)
	return g.print(which, all)
}

// compare adds the goals. The first combination is the list without filters.
func (g *growing) compare(which string, all []grown) {
	byGrowth := func(a, b grown) int { return cmp.Compare(a.ratio(), b.ratio()) }
	polled := slices.MaxFunc(slices.DeleteFunc(slices.Clone(all), func(one grown) bool { return !one.isPolled() }), byGrowth)
	slowest := slices.MaxFunc(all, func(a, b grown) int { return cmp.Compare(a.slowest(), b.slowest()) })
	last := g.b.Sizes[len(g.b.Sizes)-1]
	g.b.report.Add(
		report.Bar{Name: fmt.Sprintf("polled lists at %d orders, of %d, %s", last, g.b.Sizes[0], which), Unit: "x", AtMost: 1.3}.
			Compare(polled.ratio()).With("%s", polled.combination.name()),
		report.Bar{Name: "any filters, of the list without, " + which, Unit: "x", AtMost: 40}.
			Compare(float64(slowest.slowest())/float64(all[0].slowest())).With("%s", slowest.combination.name()))
}

// process gives all orders the last change that they would have if they had not been imported.
func (g *growing) process(ctx context.Context) error {
	for _, w := range g.worlds {
		w.processed = true
		if err := execute(ctx, w.databaseURL, asProcessed, "vacuum full analyze orders.seller_orders", "checkpoint"); err != nil {
			return fmt.Errorf("set the last change of orders: %w", err)
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
func (g *growing) measure(ctx context.Context, c combination) (grown, error) {
	measured, err := g.measureTimes(ctx, c, g.b.GrowthCalls)
	if err == nil && measured.isPolled() && measured.ratio() > suspicious {
		measured, err = g.measureTimes(ctx, c, growthAgain*g.b.GrowthCalls)
	}
	return measured, err
}

func (g *growing) measureTimes(ctx context.Context, c combination, times int) (grown, error) {
	measured := grown{c, make([]sized, len(g.worlds))}
	taken := make([][]time.Duration, len(g.worlds))
	for n, w := range g.worlds {
		got, err := w.read(ctx, w.largest, c.target(g.b, w))
		if err != nil {
			return measured, err
		}
		measured.sizes[n].rows = len(got.List)
	}
	for turn := range growthWarm + times {
		for n, w := range g.worlds {
			request, began := wire.Get(c.target(g.b, w), w.largest.key), time.Now()
			if err := g.links[n].OK(request); err != nil {
				return measured, err
			}
			if turn >= growthWarm {
				taken[n] = append(taken[n], time.Since(began))
			}
		}
	}
	for n := range g.worlds {
		slices.Sort(taken[n])
		measured.sizes[n].p50, measured.sizes[n].slowest = middle(taken[n]), taken[n][len(taken[n])-1]
	}
	return measured, nil
}

// printed is how many of the slowest pairs are printed.
const printed = 12

func (g *growing) print(which string, all []grown) error {
	single := func(one grown) bool { return len(one.combination) < 2 }
	pairs := slices.DeleteFunc(slices.Clone(all), single)
	slices.SortFunc(pairs, func(a, b grown) int { return cmp.Compare(b.slowest(), a.slowest()) })
	shown := slices.Concat(slices.DeleteFunc(all, func(one grown) bool { return !single(one) }), pairs[:min(printed, len(pairs))])
	names := []string{"filter"}
	for _, size := range g.b.Sizes {
		names = append(names, fmt.Sprintf("%d: rows", size), "p50", "slowest")
	}
	rows := make([][]string, len(shown))
	for i, one := range shown {
		rows[i] = []string{one.combination.name()}
		for _, size := range one.sizes {
			rows[i] = append(rows[i], strconv.Itoa(size.rows), milliseconds(micros(size.p50)), milliseconds(micros(size.slowest)))
		}
		rows[i] = append(rows[i], times(one.ratio()))
	}
	return g.b.report.Table(which+", a page of one seller by its number of orders", append(names, "grows by"), rows)
}
