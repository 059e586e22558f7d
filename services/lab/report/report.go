// Package report is what the programs that measure and attack the system have in common: figures, the bars that they are held
// against, and the report of a run.
//
// A goal that is missed ends nothing: [Report.Finish] returns ErrMissed after everything has been measured, printed and written.
package report

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"text/tabwriter"
	"time"
)

// Report is what a run has measured, as it is written as JSON.
type Report struct {
	Processor string    `json:"processor"`
	CPUs      int       `json:"cpus"`
	Go        string    `json:"go"`
	Started   time.Time `json:"started"`
	// LoadBefore is the machine's load average before the run: over 1, 5 and 15 minutes.
	LoadBefore string `json:"load_before"`
	// Yardsticks say how fast the machine is. The goals are ratios to them.
	Yardsticks []Goal  `json:"yardsticks,omitempty"`
	Goals      []Goal  `json:"goals"`
	Tables     []Table `json:"tables,omitempty"`

	out io.Writer
}

// Table is a table of figures as it was printed.
type Table struct {
	Title string     `json:"title"`
	Names []string   `json:"names"`
	Rows  [][]string `json:"rows"`
}

// New returns the empty report of a run that begins now and prints to out.
func New(out io.Writer) *Report {
	return &Report{
		Processor: processor(), CPUs: runtime.NumCPU(), Go: runtime.Version(), Started: time.Now().UTC().Truncate(time.Second),
		LoadBefore: loadAverage(), out: out,
	}
}

// loadAverage and processor return "unknown" where the system does not tell.
func loadAverage() string {
	text, err := os.ReadFile("/proc/loadavg")
	if fields := strings.Fields(string(text)); err == nil && len(fields) >= 3 {
		return strings.Join(fields[:3], " ")
	}
	return "unknown"
}

func processor() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	for line := range strings.Lines(string(text)) {
		if name, value, _ := strings.Cut(line, ":"); strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(value)
		}
	}
	return "unknown"
}

// Say prints lines.
func (r *Report) Say(lines ...string) error {
	_, err := fmt.Fprintln(r.out, strings.Join(lines, "\n"))
	return err
}

// Table prints a table and keeps it.
func (r *Report) Table(title string, names []string, rows [][]string) error {
	r.Tables = append(r.Tables, Table{title, names, rows})
	return write(r.out, title, names, rows)
}

func write(out io.Writer, title string, names []string, rows [][]string) error {
	_, _ = fmt.Fprintf(out, "\n%s (load of the machine now: %s)\n\n", title, loadAverage())
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, strings.Join(names, "\t"))
	for _, row := range rows {
		_, _ = fmt.Fprintln(table, strings.Join(row, "\t"))
	}
	return table.Flush()
}

// Add adds figures that are held against bars, or shown.
func (r *Report) Add(goals ...Goal) { r.Goals = append(r.Goals, goals...) }

// Yardstick adds a figure that says how fast the machine is.
func (r *Report) Yardstick(name string, value float64, unit string) {
	r.Yardsticks = append(r.Yardsticks, Shown(name, value, unit, ""))
}

// Finish prints the goals and writes the report to a file, if one is named. The error is ErrMissed when a goal is missed.
func (r *Report) Finish(file string) error {
	if len(r.Goals) > 0 || len(r.Tables) == 0 { // a run that only compares has tables and no goals
		rows := make([][]string, len(r.Goals))
		for i, g := range r.Goals {
			rows[i] = []string{g.Name, g.value(), g.Bar, g.verdict(), g.Detail}
		}
		if err := write(r.out, "goals", []string{"goal", "measured", "bar", "", ""}, rows); err != nil {
			return err
		}
	}
	if file != "" {
		text, err := json.MarshalIndent(r, "", "  ")
		if err != nil {
			return err
		}
		if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil { //nolint:gosec // it is for everybody
			return err
		}
		if err := r.Say("", "all figures: "+file); err != nil {
			return err
		}
	}
	return Missed(r.Goals)
}

func (g Goal) value() string { return strings.TrimSpace(fmt.Sprintf("%.4g %s", g.Value, g.Unit)) }

// Markdown returns the goals of the report as a table, with the yardsticks of its machine below.
func (r *Report) Markdown() string {
	var text strings.Builder
	text.WriteString("| What | Measured | Bar | |\n|---|---|---|---|\n")
	for _, g := range r.Goals {
		fmt.Fprintf(&text, "| %s | %s | %s | %s |\n", g.Name, g.value(), g.Bar, g.verdict())
	}
	fmt.Fprintf(&text, "\nMeasured on %s, %s, %d CPUs, %s, load average before %s. Its yardsticks:\n\n| Yardstick | |\n|---|---|\n",
		r.Started.Format(time.DateOnly), r.Processor, r.CPUs, r.Go, r.LoadBefore)
	for _, y := range r.Yardsticks {
		fmt.Fprintf(&text, "| %s | %s |\n", y.Name, y.value())
	}
	return text.String()
}
