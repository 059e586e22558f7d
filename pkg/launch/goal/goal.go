// Package goal compares figures of a benchmark with what they should be.
//
// A goal that is missed is printed and reported as missed, and ends nothing: [Missed] is the error of a run that has measured
// everything.
package goal

import (
	"errors"
	"fmt"
	"io"
	"text/tabwriter"
)

// Bar is what a figure should be. One of AtLeast and AtMost is set, the other is 0.
type Bar struct {
	Name string
	// Unit is empty for a ratio.
	Unit            string
	AtLeast, AtMost float64
}

// Goal is a bar and the figure that was measured for it.
type Goal struct {
	Name  string  `json:"name"`
	Bar   string  `json:"bar"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
	Met   bool    `json:"met"`
}

// Compare returns the goal for a measured value.
func (b Bar) Compare(value float64) Goal {
	g := Goal{Name: b.Name, Unit: b.Unit, Value: value, Bar: fmt.Sprintf("≤ %g", b.AtMost), Met: value <= b.AtMost}
	if b.AtLeast > 0 {
		g.Bar, g.Met = fmt.Sprintf("≥ %g", b.AtLeast), value >= b.AtLeast
	}
	return g
}

// Print writes goals as a table with one goal per line. It writes nothing when there are none.
func Print(out io.Writer, goals []Goal) error {
	if len(goals) == 0 {
		return nil
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprint(table, "\ngoals\n\ngoal\tmeasured\tbar\t\n")
	for _, g := range goals {
		verdict := "MISSED"
		if g.Met {
			verdict = "met"
		}
		_, _ = fmt.Fprintf(table, "%s\t%.2f %s\t%s\t%s\n", g.Name, g.Value, g.Unit, g.Bar, verdict)
	}
	return table.Flush()
}

// ErrMissed is returned at the end of a run in which a goal was missed.
var ErrMissed = errors.New("a goal is missed")

// Missed returns ErrMissed with the number of missed goals; nil when all are met.
func Missed(goals []Goal) error {
	missed := 0
	for _, g := range goals {
		if !g.Met {
			missed++
		}
	}
	if missed == 0 {
		return nil
	}
	return fmt.Errorf("%w: %d of %d", ErrMissed, missed, len(goals))
}
