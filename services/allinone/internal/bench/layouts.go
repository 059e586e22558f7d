package bench

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"

	"sellerapi.dev/services/allinone/internal/child"
	"sellerapi.dev/services/allinone/internal/up"
)

// layouts are what calls are measured in; the first is what the second is compared with.
var layouts = [...]up.Layout{up.Single, up.Distributed}

// warmUp is how many of each call are made before any is measured.
const warmUp = 100

// layoutCalls are calls about orders of one seller. Each is given the order that it is about.
var layoutCalls = []struct {
	name    string
	request func(*world, shippable) []byte
}{
	{"first page", func(w *world, _ shippable) []byte { return get("/open/v1/orders?limit=50", w.keys[0]) }},
	{"detail", func(w *world, o shippable) []byte { return get("/open/v1/orders/"+o.no, w.keys[0]) }},
	{"shipment", func(w *world, o shippable) []byte { return w.shipments([]shippable{o})[0] }},
}

// layoutResult is a call with so many at once: in each layout as often as it was measured.
type layoutResult struct {
	name     string
	atOnce   int
	measured [len(layouts)][]sample
}

// measureLayouts measures the calls in all layouts in turns, on the smallest marketplace. Each layout has servers of its own; while one is
// measured, those of the others have nothing to do.
func (b *benchmark) measureLayouts(ctx context.Context) (results []layoutResult, err error) {
	var worlds [len(layouts)]*world
	for n, layout := range layouts {
		b.say("filling a marketplace of %d orders, layout %s", b.Sizes[0], layout)
		dir := filepath.Join(b.Dir, "layout-"+string(layout))
		defer func() { err = errors.Join(err, up.Forget(dir)) }()
		if worlds[n], err = b.newLayoutWorld(ctx, layout, dir); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, worlds[n].child.Stop()) }()
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

// newLayoutWorld starts a system in a layout, in the directory, and fills it.
func (b *benchmark) newLayoutWorld(ctx context.Context, layout up.Layout, dir string) (*world, error) {
	w := &world{orders: b.Sizes[0]}
	var err error
	if w.child, err = child.Start(ctx, dir, append([]string{"--layout=" + string(layout)}, flags...), nil); err != nil {
		return nil, err
	}
	w.env, w.databaseURL = w.child.Env, w.child.Env.DatabaseURL
	err = up.Fill(ctx, up.FillOptions{
		RunDir: dir, Orders: w.orders, Sellers: sellers, Seed: 1,
		Base: time.Now().Add(-time.Second).Truncate(time.Second), Out: b.Progress, Progress: b.Progress,
	})
	if err == nil {
		w.keys, err = issueKeys(ctx, w.env)
	}
	if err == nil {
		err = w.restock(ctx, len(layoutCalls)*(b.Rounds*shipmentsOfOne+warmUp)*(1+b.Concurrency))
	}
	if err == nil {
		err = w.do(ctx, "vacuum analyze")
	}
	if err != nil {
		return nil, errors.Join(err, w.child.Stop())
	}
	return w, nil
}

// measureLayoutCall makes a call about different orders, in each layout, as often as there are rounds.
func (b *benchmark) measureLayoutCall(ctx context.Context, worlds [len(layouts)]*world, call, connections int) (layoutResult, error) {
	one := layoutResult{name: layoutCalls[call].name, atOnce: connections}
	b.say("measuring: %s, %d at once", one.name, connections)
	for round := range 1 + b.Rounds {
		calls := shipmentsOfOne
		if round == 0 {
			calls = warmUp
		}
		for n, w := range worlds {
			orders := w.take(calls * connections)
			requests := make([][]byte, len(orders))
			for i, o := range orders {
				requests[i] = layoutCalls[call].request(w, o)
			}
			taken, err := b.send(ctx, w, requests, connections)
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

// printLayouts prints how long each call takes in each layout.
func printLayouts(out io.Writer, options Options, results []layoutResult) error {
	_, err := fmt.Fprintf(out, "\nCalls about orders of one seller, of %d: one PostgreSQL, and a coordinator with two workers on the same %d CPUs; %d rounds in turns, medians\n\n",
		options.Sizes[0], runtime.NumCPU(), options.Rounds)
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "call\tat once\tsingle\tdistributed\tratio\tsingle/s\tdistributed/s\t")
	for _, one := range results {
		single, distributed := medianOf(one.measured[0], latency), medianOf(one.measured[1], latency)
		_, _ = fmt.Fprintf(table, "%s\t%d\t%s\t%s\t%.2f\t%.0f\t%.0f\t\n", one.name, one.atOnce, milliseconds(single), milliseconds(distributed),
			distributed.Seconds()/single.Seconds(), medianOf(one.measured[0], rate), medianOf(one.measured[1], rate))
	}
	return table.Flush()
}

func latency(s sample) time.Duration { return s.median }
