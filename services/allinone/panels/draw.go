package panels

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"regexp"
	"slices"
	"strings"
	"time"
)

//go:embed page.html
var pageText string

// page is a whole dashboard.
var page = template.Must(template.New("page").Parse(pageText))

// Sizes of a drawing in pixels: a cell of Grafana's grid, and what a panel keeps for its frame, title and legend.
const (
	cellWidth, cellHeight = 60, 34
	frameWidth            = 24
	titleHeight           = 44
	legendRow, legendMost = 15, 5
)

// colours of lines, in their order.
var colours = []string{"#73bf69", "#f2cc0c", "#8ab8ff", "#ff780a", "#f2495c", "#5794f2", "#b877d9", "#705da0", "#37872d", "#fade2a"}

// headHeight is what a page has above its panels.
const headHeight = 80

// drawing is what the page is made from.
type drawing struct {
	Dashboard
	Panels []drawn
	// Height is that of the whole page.
	Height int
}

// drawn is a panel with what Prometheus answered.
type drawn struct {
	Panel
	Left, Top, Width, Height int
	// PlotWidth and PlotHeight are the lines' space.
	PlotWidth, PlotHeight int
	// Number and Colour are for panels that show one value.
	Number, Colour string
	// Highest is the value at the top of the axis.
	Highest string
	Lines   []line
}

// line is one series of a panel.
type line struct{ Name, Colour, Points, Newest string }

// Draw returns a page that shows the dashboard with the values since a moment.
func Draw(ctx context.Context, prometheus Prometheus, dashboard Dashboard, since time.Time) ([]byte, error) {
	d := drawing{Dashboard: dashboard}
	for _, panel := range dashboard.Panels {
		one, err := drawPanel(ctx, prometheus, panel, since)
		if err != nil {
			return nil, err
		}
		d.Panels = append(d.Panels, one)
		d.Height = max(d.Height, headHeight+one.Top+one.Height)
	}
	var out bytes.Buffer
	if err := page.Execute(&out, d); err != nil {
		return nil, fmt.Errorf("draw %s: %w", dashboard.Title, err)
	}
	return out.Bytes(), nil
}

// named is a series under the name that its legend gives it.
type named struct {
	Series
	name string
}

func drawPanel(ctx context.Context, prometheus Prometheus, panel Panel, since time.Time) (drawn, error) {
	d := drawn{
		Panel: panel, Left: panel.Place.X * cellWidth, Top: panel.Place.Y * cellHeight,
		Width: panel.Place.W * cellWidth, Height: panel.Place.H * cellHeight,
	}
	var all []named
	for _, target := range panel.Targets {
		found, err := prometheus.Since(ctx, target.Query(), since)
		if err != nil {
			return drawn{}, err
		}
		for _, series := range found {
			all = append(all, named{series, legend(target.Legend, series.Labels)})
		}
	}
	if panel.Type == "stat" && len(all) > 0 {
		d.Number, d.Colour = readable(all[0].Last(), panel.Unit()), panel.colour(all[0].Last())
		return d, nil
	}
	slices.SortStableFunc(all, func(a, b named) int { return -compare(a.Last(), b.Last()) })
	d.PlotWidth = d.Width - frameWidth
	d.PlotHeight = d.Height - titleHeight - legendRow*min(len(all), legendMost)
	d.plot(all)
	return d, nil
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	default:
		return 0
	}
}

// plot draws the lines of a panel. Those beyond the legend's room are drawn and not named.
func (d *drawn) plot(all []named) {
	first, last, highest := math.Inf(1), math.Inf(-1), 0.0
	for _, series := range all {
		for _, point := range series.Points {
			first, last, highest = min(first, point.At), max(last, point.At), max(highest, point.Value)
		}
	}
	d.Highest = readable(highest, d.Unit())
	for n, series := range all {
		l := line{Colour: colours[n%len(colours)]}
		if n < legendMost {
			l.Name, l.Newest = series.name, readable(series.Last(), d.Unit())
		}
		var points strings.Builder
		for _, point := range series.Points {
			x := share(point.At-first, last-first) * float64(d.PlotWidth)
			y := float64(d.PlotHeight) * (1 - share(point.Value, highest))
			fmt.Fprintf(&points, "%.1f,%.1f ", x, y)
		}
		l.Points = points.String()
		d.Lines = append(d.Lines, l)
	}
}

// share is a part of the whole, 0 of nothing.
func share(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return part / whole
}

// placeholder is a label's name in a legend.
var placeholder = regexp.MustCompile(`\{\{\s*(\w+)\s*\}\}`)

// legend puts the labels of a series into the template of its name.
func legend(text string, labels map[string]string) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		return labels[placeholder.FindStringSubmatch(found)[1]]
	})
}

// Unit is Grafana's name of the panel's unit.
func (p Panel) Unit() string { return p.FieldConfig.Defaults.Unit }

// colour is that of the highest threshold which the value has reached.
func (p Panel) colour(value float64) string {
	colour := "green"
	for _, step := range p.FieldConfig.Defaults.Thresholds.Steps {
		if step.Value == nil || value >= *step.Value {
			colour = step.Color
		}
	}
	return colour
}

// readable is a value with its unit.
func readable(value float64, unit string) string {
	switch unit {
	case "percentunit":
		return fmt.Sprintf("%.4g %%", 100*value)
	case "s":
		if value < 1 {
			return fmt.Sprintf("%.3g ms", 1000*value)
		}
		return fmt.Sprintf("%.3g s", value)
	case "bytes":
		return fmt.Sprintf("%.4g MiB", value/(1<<20))
	case "reqps", "ops":
		return fmt.Sprintf("%.3g /s", value)
	default:
		return fmt.Sprintf("%.4g", value)
	}
}
