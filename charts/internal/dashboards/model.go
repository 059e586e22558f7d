package dashboards

import "slices"

// Dashboard is one file.
type Dashboard struct {
	// Name is the file's name without its ending, and the end of Grafana's identifier.
	Name string
	// Title and Description are shown in Grafana.
	Title, Description string
	// Services tells that the dashboard has a choice of services; its queries use $job.
	Services bool
	// Support tells that the dashboard is about one call; its queries use $request_id.
	Support bool
	// Rows from top to bottom.
	Rows []Row
}

// Row is a line of panels under a heading.
type Row struct {
	// Title is the heading.
	Title string
	// Height of its panels in Grafana's units; 0 means 8.
	Height int
	// Panels from left to right. Their widths are shares of the line.
	Panels []Panel
}

// Kind is what a panel looks like.
type Kind string

// The kinds that are used.
const (
	Lines   Kind = "timeseries"
	Number  Kind = "stat"
	Table   Kind = "table"
	Bars    Kind = "bargauge"
	Heatmap Kind = "heatmap"
	Log     Kind = "logs"
)

// Panel is one picture.
type Panel struct {
	// Title names what is measured.
	Title string
	// Help says in a sentence what it tells and what to look for.
	Help string
	// Kind is Lines when empty.
	Kind Kind
	// Source is Metrics when empty.
	Source Source
	// Unit is Grafana's name of the unit, such as "reqps" or "percentunit".
	Unit string
	// Queries are drawn together.
	Queries []Query
	// Width is the share of the line that the panel takes; 0 means 1.
	Width int
	// Limits are the values from which the colour turns to orange and red; for Lines they are drawn.
	Limits []float64
	// LowIsBad turns the colours of Limits around: below the first is red, above the last green.
	LowIsBad bool
	// Max ends the axis.
	Max float64
	// Stacked puts lines upon each other.
	Stacked bool
	// Whole is for what has no pods: exporters of the cluster. All other panels can be split by pod, but for heat maps, whose rows are
	// bounds, and what every pod reports alike.
	Whole bool
	// Alert is the alert whose section in the runbook belongs to the panel.
	Alert string
}

// Query is one expression and the name of its series.
type Query struct {
	// Expr is PromQL with Grafana's variables in it.
	Expr string
	// Legend is a template over the labels, such as "{{route}}".
	Legend string
}

// All returns every dashboard.
func All() []Dashboard {
	return slices.Concat(front(), backends(), back())
}

// front and back are the dashboards before and after those of the services behind the gateway.
func front() []Dashboard { return []Dashboard{overview(), gateway(), sellers()} }
func back() []Dashboard  { return []Dashboard{stores(), support()} }

// lines is a panel with one query.
func lines(title, help, unit, expr, legend string) Panel {
	return Panel{Title: title, Help: help, Unit: unit, Queries: []Query{{Expr: expr, Legend: legend}}}
}

// kind returns the panel drawn as k.
func (p Panel) kind(k Kind) Panel { p.Kind = k; return p }

// limits returns the panel with the values that turn it orange and red.
func (p Panel) limits(values ...float64) Panel { p.Limits = values; return p }

// stacked returns the panel with its lines upon each other.
func (p Panel) stacked() Panel { p.Stacked = true; return p }

// whole returns the panel for what has no pods.
func (p Panel) whole() Panel { p.Whole = true; return p }

// alert returns the panel with a way to the runbook.
func (p Panel) alert(name string) Panel { p.Alert = name; return p }

// also returns the panel with one more query.
func (p Panel) also(expr, legend string) Panel {
	p.Queries = append(p.Queries, Query{Expr: expr, Legend: legend})
	return p
}
