package panels

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// line is a series of a panel: its path, the area below it, and its row in the legend.
type line struct {
	Name, Colour, Path, Area string
	Mean, Most, Newest       string
}

// limit is a threshold that is drawn.
type limit struct {
	Y      float64
	Colour string
}

// span is a point of a line: its moment, its base and its height.
type span struct{ at, low, high float64 }

// plot draws the lines of a panel with their axes. Lines for which the legend has no space are drawn without a name.
func (d *drawn) plot(all []named, shown period) {
	slices.SortStableFunc(all, func(a, b named) int { return cmp.Compare(b.Last(), a.Last()) })
	d.room(min(len(all), legendMost))
	bodies, highest := stack(all, d.FieldConfig.Defaults.Custom.Stacking.Mode == "normal")
	dashed := d.FieldConfig.Defaults.Custom.Thresholds.Mode != ""
	vertical := newAxis(highest, d.FieldConfig.Defaults.Max, d.Unit(), d.PlotHeight)
	d.Rows, d.Columns = vertical.ticks(d.PlotHeight), shown.ticks(d.PlotWidth)
	for _, step := range d.FieldConfig.Defaults.Thresholds.Steps {
		if dashed && step.Value != nil && *step.Value <= vertical.top {
			d.Limits = append(d.Limits, limit{vertical.y(*step.Value, d.PlotHeight), step.Color})
		}
	}
	for n, series := range all {
		l := line{Colour: colours[n%len(colours)]}
		if n < legendMost {
			l.Name, l.Newest = series.name, readable(series.Last(), d.Unit())
			l.Mean, l.Most = readable(series.mean(), d.Unit()), readable(series.most(), d.Unit())
		}
		l.Path, l.Area = d.paths(bodies[n], vertical, shown)
		d.Lines = append(d.Lines, l)
	}
	d.More = max(len(all)-legendMost, 0)
}

// stack returns the points of the lines, stacked on each other when upon is true, and the highest value.
func stack(all []named, upon bool) (bodies [][]span, highest float64) {
	ground := map[float64]float64{}
	bodies = make([][]span, len(all))
	for n, series := range all {
		for _, point := range series.Points {
			s := span{point.At, ground[point.At], ground[point.At] + point.Value}
			if upon {
				ground[point.At] = s.high
			}
			bodies[n], highest = append(bodies[n], s), max(highest, s.high)
		}
	}
	return bodies, highest
}

// paths returns a line and the area between it and its base. The line is interrupted where values are missing.
func (d *drawn) paths(body []span, vertical axis, shown period) (path, area string) {
	var lines, areas strings.Builder
	for _, part := range unbroken(body) {
		var above, below strings.Builder
		for n, s := range part {
			x := shown.x(s.at, d.PlotWidth)
			fmt.Fprintf(&above, "%.1f,%.1f ", x, vertical.y(s.high, d.PlotHeight))
			back := part[len(part)-1-n]
			fmt.Fprintf(&below, "%.1f,%.1f ", shown.x(back.at, d.PlotWidth), vertical.y(back.low, d.PlotHeight))
		}
		lines.WriteString("M" + above.String())
		areas.WriteString("M" + above.String() + below.String() + "Z")
	}
	return lines.String(), areas.String()
}

// unbroken splits a line where a value is missing.
func unbroken(body []span) [][]span {
	var parts [][]span
	begin := 0
	for n := range body {
		if n+1 == len(body) || body[n+1].at-body[n].at > 1.5*scrapeInterval.Seconds() {
			parts = append(parts, body[begin:n+1])
			begin = n + 1
		}
	}
	return parts
}

// mean returns the mean of the series, which the legend shows beside its latest value.
func (s Series) mean() float64 {
	sum := 0.0
	for _, point := range s.Points {
		sum += point.Value
	}
	return sum / float64(len(s.Points))
}

func (s Series) most() float64 {
	return slices.MaxFunc(s.Points, func(a, b Point) int { return cmp.Compare(a.Value, b.Value) }).Value
}
