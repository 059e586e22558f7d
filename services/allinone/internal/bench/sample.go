package bench

import (
	"cmp"
	"context"
	"slices"
	"time"
)

// sample is one side measured once.
type sample struct {
	perSecond float64
	took      time.Duration
	// p50 and p99 are latencies; pgbench has none.
	p50, p99 time.Duration
	// cpu is the processor time for one request by the process that spent it.
	cpu map[string]time.Duration
}

// meter reads the clocks of processes by name.
type meter func() (map[string]time.Duration, error)

// meter returns that of a system with the servers under it.
func (b *benchmark) meter(pids map[string]int) meter {
	return func() (map[string]time.Duration, error) {
		all := map[string]time.Duration{}
		for name, pid := range pids {
			used, err := treeCPU(pid)
			if err != nil {
				return nil, err
			}
			all[name] = used
		}
		for name, server := range map[string]int{"postgres": b.ground.postgres.PID(), "redis": b.ground.redis.PID()} {
			used, err := treeCPU(server)
			if err != nil {
				return nil, err
			}
			all[name] = used
		}
		return all, nil
	}
}

// measured runs calls, which returns how long each took, sorted, and sums them up.
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
		took: took, perSecond: float64(n) / took.Seconds(), p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99),
		cpu: map[string]time.Duration{},
	}
	for name, used := range after {
		s.cpu[name] = (used - before[name]) / time.Duration(n)
	}
	return s, nil
}

// quantile is the figure of a sorted list that a part of the figures lies below.
func quantile[T any](sorted []T, part float64) T {
	return sorted[min(int(float64(len(sorted))*part), len(sorted)-1)]
}

// spread is the median of several rounds with the least and the most.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

// spreadOf is the spread of a figure of samples.
func spreadOf[T any](samples []T, of func(T) float64) spread {
	if len(samples) == 0 {
		return spread{}
	}
	values := make([]float64, len(samples))
	for i, one := range samples {
		values[i] = of(one)
	}
	slices.Sort(values)
	return spread{Median: middle(values), Min: values[0], Max: values[len(values)-1]}
}

// middle is the median of a sorted list, the mean of two where there is none in the middle.
func middle[T ~int64 | ~float64](sorted []T) T {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// contender is a side of a comparison.
type contender struct {
	name string
	// run measures the side once; it warms up by itself.
	run func(context.Context) (sample, error)
}

// turns measures the sides in turns, A B A B, so that what else the machine does meets all of them, and returns the samples of each.
func (b *benchmark) turns(ctx context.Context, sides []contender) ([][]sample, error) {
	samples := make([][]sample, len(sides))
	for range b.Rounds {
		for i, one := range sides {
			measured, err := one.run(ctx)
			if err != nil {
				return nil, err
			}
			samples[i] = append(samples[i], measured)
		}
	}
	return samples, nil
}

// medianOf is the median of a figure of samples.
func medianOf[T ~int64 | ~float64](samples []sample, of func(sample) T) T {
	values := make([]T, len(samples))
	for i, one := range samples {
		values[i] = of(one)
	}
	slices.SortFunc(values, cmp.Compare[T])
	return middle(values)
}
