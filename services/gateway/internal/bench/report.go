package bench

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"time"

	"sellerapi.dev/pkg/launch/goal"
)

// Report holds the results of a run, as JSON. CPU times are in microseconds per request.
type Report struct {
	CPUs    int       `json:"cpus"`
	Go      string    `json:"go"`
	Started time.Time `json:"started"`
	// LoadBefore is the machine's load average before the run: over 1, 5 and 15 minutes.
	LoadBefore string       `json:"load_before"`
	Calls      []CallReport `json:"calls,omitempty"`
	Peers      []PeerReport `json:"peers,omitempty"`
	Goals      []goal.Goal  `json:"goals,omitempty"`
}

// CallReport holds the results of a kind of request on one side: medians of the rounds.
type CallReport struct {
	Name       string  `json:"name"`
	Side       string  `json:"side"`
	PerSecond  float64 `json:"per_second"`
	ProcessCPU float64 `json:"cpu_us"`
	RedisCPU   float64 `json:"redis_cpu_us"`
}

// PeerReport holds the results of reads on one side of the comparison with other gateways.
type PeerReport struct {
	Side       string `json:"side"`
	PerSecond  Spread `json:"per_second"`
	ProcessCPU Spread `json:"cpu_us"`
	RedisCPU   Spread `json:"redis_cpu_us"`
	// GatewayPerSecond and GatewayCPU are the gateway's figures as ratios of this side's.
	GatewayPerSecond Spread `json:"gateway_per_second_ratio"`
	GatewayCPU       Spread `json:"gateway_cpu_ratio"`
}

// Spread is the median of rounds with the least and the greatest.
type Spread struct {
	Median   float64 `json:"median"`
	Least    float64 `json:"least"`
	Greatest float64 `json:"greatest"`
}

func spreadOf(values []float64) Spread {
	return Spread{Median: median(values), Least: slices.Min(values), Greatest: slices.Max(values)}
}

func (s Spread) text(digits int, unit string) string {
	return fmt.Sprintf("%.*f%s (%.*f–%.*f)", digits, s.Median, unit, digits, s.Least, digits, s.Greatest)
}

// The sides of a request, in the order in which they are measured.
const (
	bareSide = iota
	plainSide
	gatewaySide
)

// compareWithBars adds the goals of a kind of request. Each result is the median of the ratios of the rounds.
func (b *bench) compareWithBars(r request, samples [][]sample) {
	for _, one := range []struct {
		bar    goal.Bar
		of, to int
		value  func(sample) float64
	}{
		{goal.Bar{Name: r.name + ", CPU of the bare proxy", Unit: "x", AtMost: 1.6}, gatewaySide, bareSide, processCPU},
		{goal.Bar{Name: r.name + ", plain proxy's CPU of the bare proxy", Unit: "x", AtMost: 1.2}, plainSide, bareSide, processCPU},
		{goal.Bar{Name: r.name + ", of the plain proxy", Unit: "x", AtLeast: 0.8}, gatewaySide, plainSide, rate},
	} {
		b.report.Goals = append(b.report.Goals, one.bar.Compare(median(ratios(samples[one.of], samples[one.to], one.value))))
	}
}

func (b *bench) begin() {
	b.report = Report{CPUs: runtime.NumCPU(), Go: runtime.Version(), Started: time.Now().UTC(), LoadBefore: loadAverage()}
	b.print("load average of the machine: %s", b.report.LoadBefore)
}

// finish prints the goals, and writes the report if a file is named. The error is goal.ErrMissed when a goal is missed.
func (b *bench) finish() error {
	missed := goal.Missed(b.report.Goals)
	if err := goal.Print(b.Out, b.report.Goals); err != nil || b.ReportFile == "" {
		return errors.Join(err, missed)
	}
	text, err := json.MarshalIndent(b.report, "", "  ")
	if err != nil {
		return err
	}
	if err := os.WriteFile(b.ReportFile, append(text, '\n'), 0o600); err != nil {
		return err
	}
	b.print("\nall figures: %s", b.ReportFile)
	return missed
}
