package report

import (
	"errors"
	"fmt"
	"math"
)

// Bar is what a figure should be: at least AtLeast where that is set, else at most AtMost.
type Bar struct {
	Name string
	// Unit is x for a ratio of two figures of the run.
	Unit            string
	AtLeast, AtMost float64
}

// Goal is a figure and the bar that it is compared with, "" for none.
type Goal struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
	Bar   string  `json:"bar,omitempty"`
	Met   bool    `json:"met"`
	// Detail says what the figure is made of.
	Detail string `json:"detail,omitempty"`
}

// Compare returns the goal for a measured value. One that could not be measured is missed.
func (b Bar) Compare(value float64) Goal {
	g := Goal{Name: b.Name, Unit: b.Unit, Value: value, Bar: fmt.Sprintf("≤ %.4g", b.AtMost), Met: value <= b.AtMost}
	if b.AtLeast > 0 {
		g.Bar, g.Met = fmt.Sprintf("≥ %.4g", b.AtLeast), value >= b.AtLeast
	}
	if math.IsNaN(value) || math.IsInf(value, 0) {
		g.Value, g.Met, g.Detail = 0, false, "not measured" // JSON has no such numbers
	}
	return g
}

// Shown returns a figure without a bar.
func Shown(name string, value float64, unit, detail string) Goal {
	return Goal{Name: name, Value: value, Unit: unit, Met: true, Detail: detail}
}

// With returns the goal with what its figure is made of.
func (g Goal) With(format string, args ...any) Goal {
	g.Detail = fmt.Sprintf(format, args...)
	return g
}

func (g Goal) verdict() string {
	switch {
	case g.Bar == "":
		return ""
	case g.Met:
		return "met"
	default:
		return "MISSED"
	}
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
