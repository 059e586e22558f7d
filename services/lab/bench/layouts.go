package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"time"

	"sellerapi.dev/services/allinone/up"
	"sellerapi.dev/services/lab/child"
)

// layouts are the layouts that are measured; the second is compared with the first.
var layouts = [...]up.Layout{up.Single, up.Distributed}

// The number of calls per connection in each round, and in the warm-up.
const layoutCallsOfOne, layoutWarmUp = 200, 100

const layoutSellers = 20

// layoutFlags are the flags of the measured systems. Their rate limits are checked but never reached.
var layoutFlags = []string{
	"--orders=0", "--rate-window=1s", "--rate-read=100000", "--rate-process=100000", "--rate-rows=10000000", "--rate-timeout=10s",
}

var layoutCalls = []struct {
	name    string
	request func(*world, shippable) []byte
}{
	{"first page", func(w *world, _ shippable) []byte { return get("/open/v1/orders?limit=50", w.largest.key) }},
	{"detail", func(w *world, o shippable) []byte { return get("/open/v1/orders/"+o.no, w.largest.key) }},
	{"shipment", func(w *world, o shippable) []byte { return o.shipment(w.largest.key) }},
}

type layoutResult struct {
	name     string
	atOnce   int
	measured [len(layouts)][]sample
}

// measureLayouts measures the calls in all layouts in turns, on the smallest marketplace. Each layout has servers of its
// own; while one is measured, the others are idle.
func (b *benchmark) measureLayouts(ctx context.Context) (results []layoutResult, err error) {
	var worlds [len(layouts)]*world
	for n, layout := range layouts {
		b.say("filling a marketplace of %d orders, layout %s", b.Sizes[0], layout)
		dir := filepath.Join(b.Dir, "layout-"+string(layout))
		defer func() { err = errors.Join(err, up.Forget(dir)) }()
		system, err := child.Start(ctx, dir, append([]string{"--layout=" + string(layout)}, layoutFlags...), nil)
		if err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, system.Stop()) }()
		if worlds[n], err = b.newLayoutWorld(ctx, system, dir); err != nil {
			return nil, err
		}
	}
	for call := range layoutCalls {
		for _, connections := range slices.Compact([]int{1, b.Concurrency}) {
			one, err := b.measureLayoutCall(ctx, worlds, call, connections)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", layoutCalls[call].name, err)
			}
			results = append(results, one)
		}
	}
	return results, nil
}

func (b *benchmark) newLayoutWorld(ctx context.Context, system *child.Child, dir string) (*world, error) {
	w := &world{
		env: system.Env, databaseURL: system.Env.DatabaseURL, largest: &seller{id: system.Env.SellerAID, key: system.Env.SellerAKey},
		meter: func() (map[string]time.Duration, error) {
			used, err := system.CPU()
			return map[string]time.Duration{"services": used}, err
		},
	}
	err := up.Fill(ctx, up.FillOptions{
		RunDir: dir, Orders: b.Sizes[0], Sellers: layoutSellers, Seed: seed, Base: b.base, Out: b.Progress, Progress: b.Progress,
	})
	if err != nil {
		return nil, err
	}
	return w, execute(ctx, w.databaseURL, "vacuum analyze")
}

// measureLayoutCall makes a call about different orders in each layout, for each round.
func (b *benchmark) measureLayoutCall(ctx context.Context, worlds [len(layouts)]*world, call,
	connections int,
) (layoutResult, error) {
	one := layoutResult{name: layoutCalls[call].name, atOnce: connections}
	b.say("measuring: %s, %d concurrent", one.name, connections)
	for round := range 1 + b.Rounds {
		calls := layoutCallsOfOne
		if round == 0 {
			calls = layoutWarmUp
		}
		for n, w := range worlds {
			taken, err := callLayout(ctx, w, call, connections, calls)
			if err != nil {
				return one, err
			}
			if round > 0 {
				one.measured[n] = append(one.measured[n], taken)
			}
		}
	}
	return one, nil
}

// callLayout makes the given number of calls on each connection, each about a different order.
func callLayout(ctx context.Context, w *world, call, connections, calls int) (sample, error) {
	requests := make([][][]byte, connections)
	for i := range requests {
		placed, err := w.place(ctx, []*seller{w.largest}, calls)
		if err != nil {
			return sample{}, err
		}
		for _, o := range placed[0] {
			requests[i] = append(requests[i], layoutCalls[call].request(w, o))
		}
	}
	return w.meter.measured(func() ([]time.Duration, error) {
		return closedLoop(ctx, w.env.GatewayURL, connections, manyAtOnce, each(requests))
	})
}

func printLayouts(out io.Writer, options Options, results []layoutResult) error {
	_, err := fmt.Fprintf(out, "\nCalls about orders of one seller, of %d: one PostgreSQL, and a coordinator with two workers "+
		"on the same %d CPUs;\n%d rounds in turns, medians\n\n", options.Sizes[0], runtime.NumCPU(), options.Rounds)
	if err != nil {
		return err
	}
	median := func(s sample) time.Duration { return s.p50 }
	rate := func(s sample) float64 { return s.perSecond }
	rows := make([][]string, len(results))
	for i, one := range results {
		single, distributed := medianOf(one.measured[0], median), medianOf(one.measured[1], median)
		rows[i] = []string{
			one.name, strconv.Itoa(one.atOnce), spell(single), spell(distributed),
			fmt.Sprintf("%.2f", distributed.Seconds()/single.Seconds()),
			fmt.Sprintf("%.0f", medianOf(one.measured[0], rate)), fmt.Sprintf("%.0f", medianOf(one.measured[1], rate)),
		}
	}
	return table(out, "call\tat once\tsingle\tdistributed\tratio\tsingle/s\tdistributed/s", rows)
}
