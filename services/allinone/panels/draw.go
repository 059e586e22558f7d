package panels

import (
	"bytes"
	"context"
	_ "embed"
	"fmt"
	"html/template"
	"regexp"
	"strings"
	"time"
)

//go:embed page.html
var pageText string

// page is the template of a whole dashboard.
var page = template.Must(template.New("page").Parse(pageText))

// Sizes of a drawing in pixels: a cell of Grafana's grid, and what a panel reserves for its frame, title and legend.
const (
	cellWidth, cellHeight = 60, 34
	frameWidth            = 24
	titleHeight           = 38
	legendRow, legendMost = 15, 5
)

// colours are the colours of lines, in order.
var colours = []string{"#73bf69", "#f2cc0c", "#8ab8ff", "#ff780a", "#f2495c", "#5794f2", "#b877d9", "#705da0", "#37872d", "#fade2a"}

// headHeight is the height of a page's head above its panels.
const headHeight = 80

// drawing is the data of the page template.
type drawing struct {
	Dashboard
	Panels []drawn
	// Height is the height of the whole page.
	Height int
}

// drawn is a panel with Prometheus' answers.
type drawn struct {
	Panel
	Left, Top, Width, Height int
	// PlotWidth and PlotHeight are the size of the area between the axes.
	PlotWidth, PlotHeight int
	// Rows and Columns are the ticks of the axes.
	Rows, Columns []tick
	Lines         []line
	Limits        []limit
	Cells         []cell
	// More is how many lines the legend omits for lack of space.
	More int
	// Number and Colour are for panels that show one value.
	Number, Colour string
	// Head and Table are for panels that show labels and values.
	Head  []string
	Table [][]string
}

// Draw returns a page that shows the dashboard with the values from since until now.
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

// named is a series with the name that its legend gives it.
type named struct {
	Series
	name string
}

// kinds draw Prometheus' answers in a panel, by the panel's type.
var kinds = map[string]func(*drawn, []named, period){
	"row":        func(*drawn, []named, period) {},
	"logs":       func(d *drawn, _ []named, _ period) { d.table(nil) },
	"stat":       func(d *drawn, all []named, _ period) { d.number(all) },
	"table":      func(d *drawn, all []named, _ period) { d.table(all) },
	"timeseries": (*drawn).plot,
	"heatmap":    (*drawn).heat,
}

func drawPanel(ctx context.Context, prometheus Prometheus, panel Panel, since time.Time) (drawn, error) {
	d := drawn{
		Panel: panel, Left: panel.Place.X * cellWidth, Top: panel.Place.Y * cellHeight,
		Width: panel.Place.W * cellWidth, Height: panel.Place.H * cellHeight,
	}
	kind, known := kinds[panel.Type]
	if !known {
		return drawn{}, fmt.Errorf("%s: panels of type %s are not drawn", panel.Title, panel.Type)
	}
	shown := period{float64(since.UnixMilli()) / 1000, float64(time.Now().UnixMilli()) / 1000}
	var all []named
	for _, target := range panel.Targets {
		if !target.ofMetrics() {
			continue
		}
		found, err := prometheus.Since(ctx, target.Query(), since)
		if err != nil {
			return drawn{}, err
		}
		for _, series := range found {
			all = append(all, named{series, strings.TrimSpace(legend(target.Legend, series.Labels))})
		}
	}
	kind(&d, all, shown)
	return d, nil
}

// room sets the size of the plot: what title, axes and a legend of the given number of rows leave of the panel.
func (d *drawn) room(rows int) {
	if rows > 0 {
		rows++ // the legend's own heading
	}
	d.PlotWidth, d.PlotHeight = d.Width-frameWidth-axisWidth, d.Height-titleHeight-axisHeight-legendRow*rows
}

// number shows the latest value of the first series.
func (d *drawn) number(all []named) {
	d.Number, d.Colour = "no data", "#2c3235"
	if len(all) > 0 {
		d.Number, d.Colour = readable(all[0].Last(), d.Unit()), d.colour(all[0].Last())
	}
}

// table shows the labels of each series and its latest value.
func (d *drawn) table(all []named) {
	names := map[string]bool{}
	for _, series := range all {
		for name := range series.Labels {
			names[name] = true
		}
	}
	columns := sorted(names)
	d.Head = append(columns, "value") //nolint:gocritic // columns are not used behind it
	for _, series := range all {
		row := make([]string, 0, len(d.Head))
		for _, name := range columns {
			row = append(row, series.Labels[name])
		}
		d.Table = append(d.Table, append(row, readable(series.Last(), d.Unit())))
	}
}

// placeholder matches a label's name in a legend.
var placeholder = regexp.MustCompile(`\{\{\s*(\w+)\s*\}\}`)

// legend replaces the placeholders of a legend by the labels of a series.
func legend(text string, labels map[string]string) string {
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		return labels[placeholder.FindStringSubmatch(found)[1]]
	})
}

// Unit returns Grafana's name for the panel's unit.
func (p Panel) Unit() string { return p.FieldConfig.Defaults.Unit }

// colour returns the colour of the highest threshold that the value has reached.
func (p Panel) colour(value float64) string {
	colour := "green"
	for _, step := range p.FieldConfig.Defaults.Thresholds.Steps {
		if step.Value == nil || value >= *step.Value {
			colour = step.Color
		}
	}
	return colour
}

// AxisWidth returns the width of the vertical axis.
func (drawn) AxisWidth() int { return axisWidth }

// AllWidth returns the width of the picture with the vertical axis.
func (d drawn) AllWidth() int { return d.PlotWidth + axisWidth }

// AllHeight returns the height of the picture with the horizontal axis.
func (d drawn) AllHeight() int { return d.PlotHeight + axisHeight + 6 }

// Fill returns the opacity of the area below a line.
func (d drawn) Fill() float64 {
	if d.FieldConfig.Defaults.Custom.Stacking.Mode == "normal" {
		return .4
	}
	return .1
}

// wideFrom is the width of a panel from which its legend has space for more than the latest values.
const wideFrom = 420

// Wide reports whether the legend has space for mean and maximum.
func (d drawn) Wide() bool { return d.Width >= wideFrom }
