package bench

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

func table(out io.Writer, names string, rows [][]string) error {
	writer := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(writer, names)
	for _, row := range rows {
		_, _ = fmt.Fprintln(writer, strings.Join(row, "\t"))
	}
	return writer.Flush()
}

func (b *benchmark) addCalls(results []result) error {
	rows := make([][]string, 0, 3*len(results)) // at least
	for _, one := range results {
		reported := one.reported()
		b.report.Calls = append(b.report.Calls, reported)
		rows = append(rows, callRows(one, reported)...)
	}
	return table(b.Out, "call\trows\tat once\tside\trequests/s\tof it\tp50\tp99\tCPU a request", rows)
}

// callRows returns the lines of a call: one per side, and one for the measurement at a fixed rate. The ratio is the rate of
// the first side divided by that of the line's side.
func callRows(r result, reported CallReport) [][]string {
	var rows [][]string
	first := reported.Sides[r.sides[0]]
	for i, name := range r.sides {
		side := reported.Sides[name]
		row := []string{"", "", "", name, side.PerSecond.text("%.0f"), "", "", "", side.cpuText()}
		if i == 0 {
			row[0], row[1], row[2] = r.name, strconv.Itoa(r.rows), strconv.Itoa(r.atOnce)
		} else {
			row[5] = fmt.Sprintf("%.2f", first.PerSecond.Median/side.PerSecond.Median)
		}
		if side.P50.Median > 0 {
			row[6], row[7] = milliseconds(side.P50.Median), milliseconds(side.P99.Median)
		}
		rows = append(rows, row)
	}
	if reported.Open != nil {
		rows = append(rows, []string{
			"", "", "", "at a fixed rate", fmt.Sprintf("%.0f", reported.Open.PerSecond), "",
			milliseconds(reported.Open.P50), milliseconds(reported.Open.P99), "",
		})
	}
	return rows
}

func (s spread) text(form string) string {
	return fmt.Sprintf(form+" ("+form+"–"+form+")", s.Median, s.Min, s.Max)
}

func (s SideReport) cpuText() string {
	var all []string
	for _, name := range slices.Sorted(maps.Keys(s.CPU)) {
		if used := s.CPU[name].Median; used >= 1 {
			all = append(all, fmt.Sprintf("%s %.0f µs", name, used))
		}
	}
	return strings.Join(all, ", ")
}

func milliseconds(micros float64) string { return fmt.Sprintf("%.2f ms", micros/1000) }

func spell(d time.Duration) string { return milliseconds(micros(d)) }
