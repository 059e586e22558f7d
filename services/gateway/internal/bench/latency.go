package bench

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// latencyRounds is the number of measurements per side at the fixed rate.
const latencyRounds = 2

// leastKept is the share of the rate that must be reached for valid latencies.
const leastKept = 0.95

func (b *bench) latency(ctx context.Context) error {
	b.progress("latency at %d requests a second", b.PerSecond)
	took := map[string][]time.Duration{}
	for range latencyRounds {
		for _, address := range []string{b.ready.Plain, b.ready.Gateway} {
			times, err := b.paced(ctx, address)
			if err != nil {
				return err
			}
			took[address] = append(took[address], times...)
		}
	}
	plain, full := took[b.ready.Plain], took[b.ready.Gateway]
	b.print("\nadded latency at %d/s:", b.PerSecond)
	for _, p := range []int{50, 99} {
		before, after := percentile(plain, p), percentile(full, p)
		b.print("  p%d  %v  (%v plain, %v gateway)", p, (after - before).Round(time.Microsecond), before.Round(time.Microsecond),
			after.Round(time.Microsecond))
	}
	return nil
}

// paced requests full pages at the rate and returns the latencies. The next free client takes the next send time.
func (b *bench) paced(ctx context.Context, address string) ([]time.Duration, error) {
	total := int64(float64(b.PerSecond) * 2 * b.Time.Seconds())
	pause := time.Second / time.Duration(b.PerSecond)
	began := time.Now()
	var next atomic.Int64
	var mu sync.Mutex
	var all []time.Duration
	err := b.connected(ctx, address, func(ctx context.Context, c *client) error {
		var times []time.Duration
		for n := next.Add(1); n <= total; n = next.Add(1) {
			if !until(ctx, began.Add(time.Duration(n)*pause)) {
				return ctx.Err()
			}
			sent := time.Now()
			if err := c.do(fullPage); err != nil {
				return err
			}
			times = append(times, time.Since(sent))
		}
		mu.Lock()
		defer mu.Unlock()
		all = append(all, times...)
		return nil
	})
	if kept := float64(total) / time.Since(began).Seconds() / float64(b.PerSecond); err == nil && kept < leastKept {
		b.print("  only %.0f %% of the rate was reached", 100*kept)
	}
	if err != nil {
		return nil, fmt.Errorf("latency: %w", err)
	}
	return all, nil
}

// until waits until a time; it returns false if the context ends first.
func until(ctx context.Context, moment time.Time) bool {
	timer := time.NewTimer(time.Until(moment))
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return false
	case <-timer.C:
		return true
	}
}

func percentile(times []time.Duration, p int) time.Duration {
	sorted := slices.Clone(times)
	slices.Sort(sorted)
	return sorted[(len(sorted)-1)*p/100]
}
