package bench

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"sellerapi.dev/pkg/launch"
)

type sample struct {
	perSecond float64
	// p50 and p99 are latencies; pgbench has none.
	p50, p99 time.Duration
	// cpu is the CPU time per request, by process.
	cpu map[string]time.Duration
}

type meter func() (map[string]time.Duration, error)

func (b *benchmark) meter(pids map[string]int) meter {
	return func() (map[string]time.Duration, error) {
		all := map[string]time.Duration{}
		for name, pid := range pids {
			used, err := launch.TreeCPU(pid)
			if err != nil {
				return nil, err
			}
			all[name] = used
		}
		for name, server := range map[string]int{"postgres": b.ground.postgres.PID(), "redis": b.ground.redis.PID()} {
			used, err := launch.TreeCPU(server)
			if err != nil {
				return nil, err
			}
			all[name] = used
		}
		return all, nil
	}
}

func (m meter) measured(calls func() ([]time.Duration, error)) (sample, error) {
	before, err := m()
	if err != nil {
		return sample{}, err
	}
	began := time.Now()
	latencies, err := calls()
	if err != nil {
		return sample{}, err
	}
	took := time.Since(began)
	after, err := m()
	if err != nil {
		return sample{}, err
	}
	n := len(latencies)
	s := sample{
		perSecond: float64(n) / took.Seconds(), p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99),
		cpu: map[string]time.Duration{},
	}
	for name, used := range after {
		s.cpu[name] = (used - before[name]) / time.Duration(n)
	}
	return s, nil
}

// quantile returns the element of a sorted list below which the given part of the elements lies.
func quantile[T any](sorted []T, part float64) T {
	return sorted[min(int(float64(len(sorted))*part), len(sorted)-1)]
}

// figure is one figure of a sample.
type figure func(sample) float64

func perSecond(s sample) float64 { return s.perSecond }
func p50(s sample) float64       { return micros(s.p50) }
func p99(s sample) float64       { return micros(s.p99) }

// cpu returns the figure of the CPU time of processes per request, in microseconds.
func cpu(processes ...string) figure {
	return func(s sample) float64 {
		var total time.Duration
		for _, name := range processes {
			total += s.cpu[name]
		}
		return micros(total)
	}
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

// middle returns the median of a sorted list: the mean of the two middle elements if their number is even.
func middle[T ~int64 | ~float64](sorted []T) T {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// side is what is measured in turns with others.
type side struct {
	name         string
	rows, atOnce int
	// run measures the side once, including its warm-up.
	run func(context.Context) (sample, error)

	samples []sample
}

// turns measures the sides in turns, A B A B, so that other load on the machine affects all of them.
func (b *benchmark) turns(ctx context.Context, sides []*side) error {
	for range b.Rounds {
		for _, one := range sides {
			b.say("measuring: %s", one.name)
			measured, err := one.run(ctx)
			if err != nil {
				return fmt.Errorf("%s: %w", one.name, err)
			}
			one.samples = append(one.samples, measured)
		}
	}
	return nil
}

func (s *side) each(of figure) []float64 {
	values := make([]float64, len(s.samples))
	for i, one := range s.samples {
		values[i] = of(one)
	}
	return values
}

func (s *side) median(of figure) float64 { return middle(slices.Sorted(slices.Values(s.each(of)))) }

// ratio returns the median of the rounds' ratios of a figure to one of another side: what disturbs the machine affects both sides
// of a round.
func (s *side) ratio(of figure, other *side, by figure) float64 {
	values := s.each(of)
	for i, divisor := range other.each(by) {
		values[i] /= divisor
	}
	return middle(slices.Sorted(slices.Values(values)))
}

// spread returns the median with the least and the greatest of the rounds.
func (s *side) spread(of figure, form string) string {
	values := slices.Sorted(slices.Values(s.each(of)))
	return fmt.Sprintf(form+" ("+form+"–"+form+")", middle(values), values[0], values[len(values)-1])
}

// cells returns the first cells of the line of a side in a table.
func (s *side) cells() []string {
	latency := func(of figure) string {
		if s.median(of) == 0 {
			return "" // pgbench has none
		}
		return milliseconds(s.median(of))
	}
	return []string{
		s.name, strconv.Itoa(s.rows), strconv.Itoa(s.atOnce), s.spread(perSecond, "%.0f"), latency(p50), latency(p99), s.cpuText(),
	}
}

var cellNames = []string{"call", "rows", "at once", "requests/s", "p50", "p99", "CPU a request"}

func (s *side) cpuText() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(s.samples[0].cpu)) {
		if used := s.median(cpu(name)); used >= 1 {
			all = append(all, fmt.Sprintf("%s %.0f µs", name, used))
		}
	}
	return strings.Join(all, ", ")
}

func milliseconds(micros float64) string { return fmt.Sprintf("%.2f ms", micros/1000) }

func times(ratio float64) string { return fmt.Sprintf("%.2f", ratio) }
