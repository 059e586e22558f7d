package bench

import (
	"context"
	"fmt"
	"math"
	"time"
)

const (
	throughGateway   = "gateway"
	sameStatements   = "pgbench"
	leastTransaction = "least transaction"
)

type result struct {
	name, owner  string
	rows, atOnce int
	sides        []string
	samples      [][]sample
	// open holds the latencies at a fixed rate; it is zero for calls that are not measured in this way.
	open openSample
	// compressing is the CPU time for compressing a response; it is zero for calls that are not reads.
	compressing time.Duration
}

type openSample struct {
	perSecond float64
	p50, p99  time.Duration
}

func (b *benchmark) measureReads(ctx context.Context, s *system, w *world) ([]result, error) {
	sessions := map[string]string{}
	var results []result
	for _, c := range b.chosen() {
		b.say("measuring: %s", c.name)
		if _, known := sessions[c.owner]; !known {
			var err error
			if sessions[c.owner], err = s.session(ctx, c.owner); err != nil {
				return nil, err
			}
		}
		one, err := b.measureRead(ctx, w, c, sessions[c.owner])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		results = append(results, one)
	}
	return results, nil
}

// measureRead measures a case: in turns through the gateway and by pgbench, and then through the gateway at a fixed rate.
func (b *benchmark) measureRead(ctx context.Context, w *world, c benchCase, session string) (result, error) {
	requests, err := b.requests(ctx, w, c, b.Variants)
	if err != nil {
		return result{}, err
	}
	captured, err := b.captureReads(ctx, w, requests)
	if err != nil {
		return result{}, err
	}
	scripts, err := readScripts(ctx, w.databaseURL, captured)
	if err != nil {
		return result{}, err
	}
	r := result{
		name: c.name, owner: c.owner, rows: requests[0].rows, atOnce: b.Concurrency,
		sides: []string{throughGateway, sameStatements},
	}
	alone := contender{sameStatements, func(ctx context.Context) (sample, error) {
		return b.pgbench(ctx, pgbench{database: w.databaseURL, session: session, scripts: scripts, clients: b.Concurrency})
	}}
	r.samples, err = b.turns(ctx, []contender{b.reading(w, throughGateway, wire(requests)), alone})
	if err != nil {
		return result{}, err
	}
	rate := math.Floor(medianOf(r.samples[0], func(s sample) float64 { return s.perSecond }) / 2)
	if r.open, err = b.atRate(ctx, w, rate, from(wire(requests))); err != nil {
		return result{}, err
	}
	r.compressing, err = w.compressing(ctx, requests[0])
	return r, err
}

func (b *benchmark) reading(w *world, name string, requests [][]byte) contender {
	return contender{name, func(ctx context.Context) (sample, error) {
		if b.Warm > 0 {
			if _, err := closedLoop(ctx, w.env.GatewayURL, b.Concurrency, b.Warm, from(requests)); err != nil {
				return sample{}, err
			}
		}
		return w.meter.measured(func() ([]time.Duration, error) {
			return closedLoop(ctx, w.env.GatewayURL, b.Concurrency, b.Time, from(requests))
		})
	}}
}

// spare is how many times as many connections the open loop has as the closed one, so that a slow answer delays no other request.
const spare = 4

func (b *benchmark) atRate(ctx context.Context, w *world, perSecond float64, requests stream) (openSample, error) {
	latencies, err := openLoop(ctx, w.env.GatewayURL, spare*b.Concurrency, max(1, perSecond), b.Time, requests)
	if err != nil {
		return openSample{}, err
	}
	return openSample{perSecond, quantile(latencies, 0.5), quantile(latencies, 0.99)}, nil
}
