package bench

import (
	"fmt"
	"io"
	"runtime"
	"slices"
	"text/tabwriter"
	"time"
)

// result is a call at one size: both sides, as often as they were measured.
type result struct {
	name           string
	orders         int
	atOnce         int
	rows           int
	through, alone []sample
}

// add notes both sides of a round.
func (r *result) add(through, alone sample) {
	r.through, r.alone = append(r.through, through), append(r.alone, alone)
}

// row is what a result comes to.
type row struct {
	through, alone, ratio float64
	cpu, median, p99      time.Duration
}

func (r result) row() row {
	through, alone := medianOf(r.through, rate), medianOf(r.alone, rate)
	return row{
		through: through, alone: alone, ratio: through / alone,
		cpu:    medianOf(r.through, func(s sample) time.Duration { return s.cpu }),
		median: medianOf(r.through, func(s sample) time.Duration { return s.median }),
		p99:    medianOf(r.through, func(s sample) time.Duration { return s.p99 }),
	}
}

func rate(s sample) float64 { return s.perSecond }

func medianOf[T float64 | time.Duration](samples []sample, of func(sample) T) T {
	values := make([]T, len(samples))
	for i, one := range samples {
		values[i] = of(one)
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// printTable prints all results, and how the first size compares with the last.
func printTable(out io.Writer, options Options, results []result) error {
	_, err := fmt.Fprintf(out, "\nPages of 50 orders and shipments, %d rounds of each side in turns, medians, %d CPUs\n\n",
		options.Rounds, runtime.NumCPU())
	if err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "orders\tcall\tat once\trows\tgateway/s\tpgbench/s\tratio\tCPU/request\tmedian\tp99\t")
	for _, one := range results {
		r := one.row()
		_, _ = fmt.Fprintf(table, "%d\t%s\t%d\t%d\t%.0f\t%.0f\t%.2f\t%s\t%s\t%s\t\n", one.orders, one.name, one.atOnce, one.rows,
			r.through, r.alone, r.ratio, milliseconds(r.cpu), milliseconds(r.median), milliseconds(r.p99))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	return printGrowth(out, results)
}

// printGrowth prints for every call what is left of the smallest size's rate at the largest.
func printGrowth(out io.Writer, results []result) error {
	smallest := map[string]result{}
	largest := 0
	for _, one := range results {
		largest = max(largest, one.orders)
	}
	for _, one := range results {
		first, seen := smallest[one.name]
		if !seen {
			smallest[one.name] = one
			continue
		}
		if one.orders != largest || first.orders == largest {
			continue
		}
		_, err := fmt.Fprintf(out, "%s: %.2f of the rate at %d orders is left at %d\n",
			one.name, one.row().through/first.row().through, first.orders, one.orders)
		if err != nil {
			return err
		}
	}
	return nil
}

// batchResult is a way to register as many shipments as a batch may have, as often as it was measured.
type batchResult struct {
	name        string
	connections int
	requests    func([]shippable) [][]byte
	taken       []sample
}

// printBatches prints how long each way takes, and how many times as long as the first.
func printBatches(out io.Writer, results []batchResult) error {
	if len(results) == 0 {
		return nil
	}
	if _, err := fmt.Fprintf(out, "\n%d shipments through the gateway, medians\n\n", batchEntries); err != nil {
		return err
	}
	table := tabwriter.NewWriter(out, 0, 0, 3, ' ', tabwriter.AlignRight)
	_, _ = fmt.Fprintln(table, "way\tat once\ttook\ttimes the batch\t")
	took := func(r batchResult) time.Duration {
		return medianOf(r.taken, func(s sample) time.Duration { return s.took })
	}
	for _, one := range results {
		_, _ = fmt.Fprintf(table, "%s\t%d\t%s\t%.1f\t\n", one.name, one.connections, milliseconds(took(one)),
			took(one).Seconds()/took(results[0]).Seconds())
	}
	return table.Flush()
}

func milliseconds(d time.Duration) string {
	return fmt.Sprintf("%.2f ms", float64(d.Microseconds())/1000)
}
