package bench

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"
)

// The kinds of requests that are compared.
var (
	fullPage  = request{name: "read, page full", method: "GET", target: "/open/v1/orders?limit=50&rows=50"}
	partPage  = request{name: "read, page not full", method: "GET", target: "/open/v1/orders?limit=50&rows=7"}
	firstPost = request{name: "first process call", method: "POST", target: "/open/v1/orders/O-1/preparation",
		body: `{"item_ids":["0190a5c0-0000-7000-8000-000000000001"]}`}
)

// comparison is one kind of request on both sides, round by round.
type comparison struct {
	name        string
	plain, full []sample
}

// throughput prints what the gateway keeps of its throughput as a plain proxy.
func (b *bench) throughput(ctx context.Context) error {
	b.progress("each key once, so that the facts about it are at hand")
	if err := b.warmUp(ctx); err != nil {
		return err
	}
	var comparisons []comparison
	for _, r := range []request{fullPage, partPage, firstPost} {
		b.progress("%s: %d × %s on each side", r.name, b.Rounds, b.Time)
		c := comparison{name: r.name}
		for range b.Rounds {
			p, err := b.load(ctx, b.ready.Plain, r)
			if err != nil {
				return err
			}
			g, err := b.load(ctx, b.ready.Gateway, r)
			if err != nil {
				return err
			}
			c.plain, c.full = append(c.plain, p), append(c.full, g)
		}
		comparisons = append(comparisons, c)
	}
	return b.printThroughput(comparisons)
}

// warmUp sends one read with each key.
func (b *bench) warmUp(ctx context.Context) error {
	return b.connected(ctx, b.ready.Gateway, func(ctx context.Context, c *client) error {
		for range c.keys {
			if err := c.do(fullPage); err != nil || ctx.Err() != nil {
				return err
			}
		}
		return nil
	})
}

// printThroughput prints requests a second, and the processor time for one request: of everything that takes part, which
// does not depend on what else the machine does, of the gateway's process and of Redis.
func (b *bench) printThroughput(comparisons []comparison) error {
	b.print("%d clients at once:", b.Connections)
	out := tabwriter.NewWriter(b.Out, 0, 0, 3, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(out, "\tplain/s\tgateway/s\tratio\tall CPU plain\tgateway\tratio\tits process plain\tgateway\tRedis\tscripts\tinside\t")
	for _, c := range comparisons {
		_, _ = fmt.Fprintf(out, "%s\t%.0f\t%.0f\t%.2f\t%.0fµs\t%.0fµs\t%.2f\t%.0fµs\t%.0fµs\t%.0fµs\t%.2f\t%.0fµs\t\n", c.name,
			medianOf(c.plain, rate), medianOf(c.full, rate), c.ratio(rate),
			medianOf(c.plain, allCPU), medianOf(c.full, allCPU), 1/c.ratio(allCPU),
			medianOf(c.plain, gatewayCPU), medianOf(c.full, gatewayCPU), medianOf(c.full, redisCPU),
			medianOf(c.full, func(s sample) float64 { return s.scripts }),
			medianOf(c.full, func(s sample) float64 { return micros(s.inside) }))
	}
	return out.Flush()
}

func rate(s sample) float64       { return s.perSecond }
func gatewayCPU(s sample) float64 { return micros(s.cpu.gateway) }
func redisCPU(s sample) float64   { return micros(s.cpu.redis) }
func allCPU(s sample) float64 {
	return micros(s.cpu.load + s.cpu.service + s.cpu.gateway + s.cpu.redis)
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// ratio is the median of the ratios of the rounds: what disturbs the machine for a while disturbs both sides of a round.
func (c comparison) ratio(of func(sample) float64) float64 {
	ratios := make([]float64, len(c.plain))
	for i := range c.plain {
		ratios[i] = of(c.full[i]) / of(c.plain[i])
	}
	return median(ratios)
}

func medianOf(samples []sample, of func(sample) float64) float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = of(s)
	}
	return median(values)
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}
