package bench

import (
	"context"
	"fmt"
	"slices"
	"text/tabwriter"
	"time"
)

// pageLimit is the greatest number of rows that the reads ask for.
const pageLimit = 50

var (
	fullPage = request{
		name: "read, page full", method: "GET",
		target: fmt.Sprintf("/open/v1/orders?limit=%d&rows=%[1]d", pageLimit),
	}
	partPage  = request{name: "read, page not full", method: "GET", target: "/open/v1/orders?limit=50&rows=7"}
	gzipPage  = request{name: "read, gzip accepted", method: "GET", target: fullPage.target, accept: "gzip"}
	firstPost = request{
		name: "first process call", method: "POST", target: "/open/v1/orders/O-1/preparation",
		body: `{"item_ids":["0190a5c0-0000-7000-8000-000000000001"]}`,
	}
)

type side struct {
	name string
	// pid is the process that answers, possibly with others that it has started.
	pid     int
	address string
}

func (b *bench) sides() []side {
	return []side{
		{"bare", b.bare.pid(), b.bareReady.Address},
		{"plain", b.target.pid(), b.ready.Plain},
		b.gateway(),
	}
}

func (b *bench) gateway() side { return side{"gateway", b.target.pid(), b.ready.Gateway} }

func (b *bench) throughput(ctx context.Context) error {
	if err := b.warmUp(ctx); err != nil {
		return err
	}
	b.print("\n%d concurrent clients, responses to reads of %d bytes, %d rounds of %s; medians (least–greatest):",
		b.Connections, len(page), b.Rounds, b.Time)
	out := tabwriter.NewWriter(b.Out, 0, 0, 2, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(out, "\t\trequests/s\tCPU\tRedis\trequests/s : bare\tCPU : bare\trequests/s : plain\tCPU : plain\t")
	for _, r := range []request{fullPage, partPage, gzipPage, firstPost} {
		b.progress("%s: %d × %s on each side", r.name, b.Rounds, b.Time)
		samples, err := b.inTurns(ctx, b.sides(), r)
		if err != nil {
			return err
		}
		for i, s := range b.sides() {
			of, bare, plain := samples[i], samples[bareSide], samples[plainSide]
			call := CallReport{
				Name: r.name, Side: s.name, PerSecond: median(each(of, rate)),
				ProcessCPU: median(each(of, processCPU)), RedisCPU: median(each(of, redisCPU)),
			}
			b.report.Calls = append(b.report.Calls, call)
			_, _ = fmt.Fprintf(out, "%s\t%s\t%.0f\t%.0fµs\t%.0fµs\t%s\t%s\t%s\t%s\t\n",
				call.Name, call.Side, call.PerSecond, call.ProcessCPU, call.RedisCPU,
				spread(ratios(of, bare, rate)), spread(ratios(of, bare, processCPU)),
				spread(ratios(of, plain, rate)), spread(ratios(of, plain, processCPU)))
		}
		b.compareWithBars(r, samples)
	}
	return out.Flush()
}

// inTurns loads the sides round by round, after a warm-up round.
func (b *bench) inTurns(ctx context.Context, sides []side, r request) ([][]sample, error) {
	samples := make([][]sample, len(sides))
	for round := range b.Rounds + 1 {
		for i, s := range sides {
			taken, err := b.load(ctx, s, r, b.Time)
			if err != nil {
				return nil, err
			}
			if round > 0 {
				samples[i] = append(samples[i], taken)
			}
		}
	}
	return samples, nil
}

func (b *bench) warmUp(ctx context.Context) error {
	b.progress("each key once, so that the facts about it are at hand")
	return b.connected(ctx, b.ready.Gateway, func(ctx context.Context, c *client) error {
		for range c.keys {
			if err := c.do(fullPage); err != nil || ctx.Err() != nil {
				return err
			}
		}
		return nil
	})
}

func rate(s sample) float64       { return s.perSecond }
func processCPU(s sample) float64 { return micros(s.cpu.process) }
func redisCPU(s sample) float64   { return micros(s.cpu.redis) }

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// ratios returns the ratios of the rounds: a disturbance of the machine affects all sides of a round.
func ratios(of, to []sample, value func(sample) float64) []float64 {
	all := make([]float64, len(of))
	for i := range of {
		all[i] = value(of[i]) / value(to[i])
	}
	return all
}

func spread(values []float64) string { return spreadOf(values).text(2, "") }

func each(samples []sample, value func(sample) float64) []float64 {
	values := make([]float64, len(samples))
	for i, s := range samples {
		values[i] = value(s)
	}
	return values
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}
