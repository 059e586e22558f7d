package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"sellerapi.dev/pkg/launch/goal"
)

// Report holds the results of a run, as JSON. Times are in microseconds unless a name says
// otherwise.
type Report struct {
	About     []string         `json:"about"`
	CPUs      int              `json:"cpus"`
	Go        string           `json:"go"`
	Started   time.Time        `json:"started"`
	Parts     []PartReport     `json:"parts"`
	Calls     []CallReport     `json:"calls,omitempty"`
	Batches   []BatchReport    `json:"batches,omitempty"`
	Growth    []GrowthReport   `json:"growth,omitempty"`
	Footprint *FootprintReport `json:"footprint,omitempty"`
	Goals     []goal.Goal      `json:"goals,omitempty"`
	// Spans is how many spans the receiver received from all services.
	Spans int64 `json:"spans_received"`
}

// PartReport holds the load averages over 1, 5 and 15 minutes before a part.
type PartReport struct {
	Name       string `json:"name"`
	LoadBefore string `json:"load_before"`
}

// CallReport is the result for a call on all sides.
type CallReport struct {
	Name   string                `json:"name"`
	Rows   int                   `json:"rows"`
	AtOnce int                   `json:"at_once"`
	Sides  map[string]SideReport `json:"sides"`
	Open   *OpenReport           `json:"open_loop,omitempty"`
	// Compressing is the CPU time for compressing a response as the gateway does, which the gateway's includes; 0 for calls that
	// are not reads.
	Compressing float64 `json:"compressing_us,omitempty"`
}

// SideReport is the result for one side of a call: medians with the minimum and maximum of all
// rounds.
type SideReport struct {
	PerSecond spread `json:"per_second"`
	P50       spread `json:"closed_p50_us"`
	P99       spread `json:"closed_p99_us"`
	// CPU is the CPU time per request, by process.
	CPU map[string]spread `json:"cpu_us"`
}

// OpenReport holds latencies at a fixed rate, measured from the time at which requests were due.
type OpenReport struct {
	PerSecond float64 `json:"per_second"`
	P50       float64 `json:"p50_us"`
	P99       float64 `json:"p99_us"`
}

func (r result) reported() CallReport {
	all := CallReport{
		Name: r.name, Rows: r.rows, AtOnce: r.atOnce, Sides: map[string]SideReport{},
		Compressing: micros(r.compressing),
	}
	for i, name := range r.sides {
		all.Sides[name] = reportSide(r.samples[i])
	}
	if r.open.perSecond > 0 {
		all.Open = &OpenReport{PerSecond: r.open.perSecond, P50: micros(r.open.p50), P99: micros(r.open.p99)}
	}
	return all
}

func reportSide(samples []sample) SideReport {
	side := SideReport{
		PerSecond: spreadOf(samples, func(s sample) float64 { return s.perSecond }),
		P50:       spreadOf(samples, func(s sample) float64 { return micros(s.p50) }),
		P99:       spreadOf(samples, func(s sample) float64 { return micros(s.p99) }),
		CPU:       map[string]spread{},
	}
	for name := range samples[0].cpu {
		side.CPU[name] = spreadOf(samples, func(s sample) float64 { return micros(s.cpu[name]) })
	}
	return side
}

func micros(d time.Duration) float64 { return float64(d) / float64(time.Microsecond) }

func (b *benchmark) introduce(about []string) error {
	b.report.About, b.report.CPUs, b.report.Go, b.report.Started = about, runtime.NumCPU(), runtime.Version(), time.Now().UTC()
	_, err := fmt.Fprintln(b.Out, strings.Join(about, "\n"))
	return err
}

var errNoSpans = errors.New("no service has exported a span, although tracing is on: what was measured is not what runs in " +
	"production")

// finish writes the report of what was measured. The error is goal.ErrMissed when that is not as good as it should be.
func (b *benchmark) finish(spans int64) error {
	if len(b.report.Parts) == 0 {
		return nil // only layouts were measured
	}
	b.report.Spans = spans
	if spans == 0 {
		return errNoSpans
	}
	text, err := json.MarshalIndent(b.report, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(b.Report, append(text, '\n'), 0o600); err != nil {
		return err
	}
	if _, err = fmt.Fprintf(b.Out, "\n%d spans were exported. All figures: %s\n", spans, b.Report); err != nil {
		return err
	}
	return goal.Missed(b.report.Goals)
}
