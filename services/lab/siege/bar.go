package siege

import (
	"cmp"
	"slices"

	"sellerapi.dev/services/lab/report"
)

// times returns the goal of a figure of an attack divided by that of its control.
func times(what, unit string, control, attack, most float64) report.Goal {
	return report.Bar{Name: what, Unit: "x", AtMost: most}.Compare(attack/control).
		With("%.4g %s instead of %.4g", attack, unit, control)
}

// figure returns the goal of a figure of an attack itself.
func figure(what, unit string, control, attack, most float64) report.Goal {
	return report.Bar{Name: what, Unit: unit, AtMost: most}.Compare(attack).With("instead of %.4g", control)
}

// barless returns the goal as one that is only shown.
func barless(g report.Goal) report.Goal { return report.Shown(g.Name, g.Value, g.Unit, g.Detail) }

func median[T cmp.Ordered](figures []T) T { return quantile(figures, 0.5) }

func quantile[T cmp.Ordered](figures []T, part float64) T {
	sorted := slices.Sorted(slices.Values(figures))
	return sorted[min(int(float64(len(sorted))*part), len(sorted)-1)]
}
