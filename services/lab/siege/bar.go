package siege

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"text/tabwriter"
)

// ErrMissed is returned when a bar is missed.
var ErrMissed = errors.New("siege: a limit is missed")

// bar is one figure of an attack, the same figure of its control, and the highest value that it
// may have.
type bar struct {
	what            string
	unit            string
	control, attack float64
	measure         measure
	most            float64
	barless         bool
}

// measure selects which figure of a bar is compared with its limit.
type measure int

const (
	// ratio is the attack divided by the control.
	ratio measure = iota
	// figure is the attack itself.
	figure
	// added is the attack minus the control.
	added
)

var measures = []struct {
	of   func(bar) float64
	text func(most float64, unit string) string
}{
	ratio: {
		func(b bar) float64 { return b.attack / b.control },
		func(most float64, _ string) string { return fmt.Sprintf("≤ %.4g x", most) },
	},
	figure: {func(b bar) float64 { return b.attack }, func(most float64,
		unit string,
	) string {
		return fmt.Sprintf("≤ %.4g %s", most, unit)
	}},
	added: {func(b bar) float64 { return b.attack - b.control }, func(most float64, unit string) string {
		return fmt.Sprintf("≤ +%.4g %s", most, unit)
	}},
}

func (b bar) value() float64 { return measures[b.measure].of(b) }

// missed reports whether the figure is above its limit, or could not be measured.
func (b bar) missed() bool {
	return !b.barless && (math.IsNaN(b.value()) || b.value() > b.most)
}

func verdict(out io.Writer, bars []bar) error {
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, "attack\tcontrol\tattacked\tmeasured\tbar\t")
	for _, b := range bars {
		limit, verdict := measures[b.measure].text(b.most, b.unit), "held"
		switch {
		case b.barless:
			limit, verdict = "none", ""
		case b.missed():
			verdict = "MISSED"
		}
		_, _ = fmt.Fprintf(table, "%s\t%.4g %s\t%.4g %s\t%.3g\t%s\t%s\n", b.what, b.control, b.unit, b.attack, b.unit,
			b.value(), limit, verdict)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	if slices.ContainsFunc(bars, bar.missed) {
		return ErrMissed
	}
	return nil
}

func median[T cmp.Ordered](figures []T) T { return quantile(figures, 0.5) }

func quantile[T cmp.Ordered](figures []T, part float64) T {
	sorted := slices.Sorted(slices.Values(figures))
	return sorted[min(int(float64(len(sorted))*part), len(sorted)-1)]
}
