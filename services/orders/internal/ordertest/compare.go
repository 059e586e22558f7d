package ordertest

import (
	"slices"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// Side is one of the implementations that Compare measures.
type Side struct {
	Name string
	// Prepare runs before each Run, unless it is nil, and is not measured.
	Prepare func()
	Run     func()
}

func (s *Side) prepare() {
	if s.Prepare != nil {
		s.Prepare()
	}
}

// Compare alternates between the sides, A B A B, once each per iteration, and reports the median of the wall time and of the
// process's CPU time of each. The last side is the baseline: "x" is the speed-up of a side over it.
func Compare(b *testing.B, sides ...Side) {
	b.Helper()
	wall, cpu := make([][]float64, len(sides)), make([][]float64, len(sides))
	for i := range sides { // warm-up
		sides[i].prepare()
		sides[i].Run()
	}
	for b.Loop() {
		for i := range sides {
			side := &sides[i]
			side.prepare()
			start, used := time.Now(), CPUTime(b)
			side.Run()
			wall[i] = append(wall[i], float64(time.Since(start).Microseconds()))
			cpu[i] = append(cpu[i], float64((CPUTime(b) - used).Microseconds()))
		}
	}
	b.ReportMetric(0, "ns/op") // the sum of all sides is meaningless
	plain := len(sides) - 1
	for i, side := range sides {
		b.ReportMetric(median(wall[i]), side.Name+"-µs")
		b.ReportMetric(median(cpu[i]), side.Name+"-cpu-µs")
		if i != plain {
			b.ReportMetric(median(wall[plain])/median(wall[i]), side.Name+"-x")
			b.ReportMetric(median(cpu[plain])/median(cpu[i]), side.Name+"-cpu-x")
		}
	}
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// CPUTime returns the CPU time that this process has used.
func CPUTime(b *testing.B) time.Duration {
	b.Helper()
	var usage syscall.Rusage
	require.NoError(b, syscall.Getrusage(syscall.RUSAGE_SELF, &usage))
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}
