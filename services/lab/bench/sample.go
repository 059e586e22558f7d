package bench

import (
	"cmp"
	"context"
	"slices"
	"time"

	"sellerapi.dev/pkg/launch"
)

type sample struct {
	perSecond float64
	took      time.Duration
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
		took: took, perSecond: float64(n) / took.Seconds(), p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99),
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

type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
}

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

// middle returns the median of a sorted list: the mean of the two middle elements if their number is even.
func middle[T ~int64 | ~float64](sorted []T) T {
	n := len(sorted)
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

type contender struct {
	name string
	// run measures the side once, including its warm-up.
	run func(context.Context) (sample, error)
}

// turns measures the sides in turns, A B A B, so that other load on the machine affects all of them, and returns the
// samples of each.
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

func medianOf[T ~int64 | ~float64](samples []sample, of func(sample) T) T {
	values := make([]T, len(samples))
	for i, one := range samples {
		values[i] = of(one)
	}
	slices.SortFunc(values, cmp.Compare[T])
	return middle(values)
}
