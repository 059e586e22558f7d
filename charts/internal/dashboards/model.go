package dashboards

import "slices"

// Dashboard is one file.
type Dashboard struct {
	// Name is the file's name without its extension, and the end of Grafana's identifier.
	Name string
	// Title and Description are shown in Grafana.
	Title, Description string
	// Services reports whether the dashboard has a variable for the service; its queries use $job.
	Services bool
	// Support reports whether the dashboard is about one call, order or claim; its queries use $request_id or $number.
	Support bool
	// Rows are listed from top to bottom.
	Rows []Row
}

// Row is a line of panels under a heading.
type Row struct {
	// Title is the heading.
	Title string
	// Height is that of its panels in Grafana's units; 0 means 8.
	Height int
	// Panels are listed from left to right. Their widths are shares of the line.
	Panels []Panel
}

// Kind is the type of a panel.
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

// Panel is one panel of a dashboard.
type Panel struct {
	// Title names what is measured.
	Title string
	// Help explains in a sentence what the panel shows and what to look for.
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
	// Limits are the values from which the colour turns orange and red; with Lines they are also drawn.
	Limits []float64
	// LowIsBad reverses the colours of Limits: below the first is red, above the last green.
	LowIsBad bool
	// Max is the upper end of the axis; 0 means automatic.
	Max float64
	// Stacked stacks the lines.
	Stacked bool
	// Whole is for series without pods, such as those of the cluster's exporters. All other panels can be split by pod, except for
	// heat maps, whose rows are bounds, and metrics that are the same for every pod.
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

// front and back return the dashboards before and after those of the services behind the gateway.
func front() []Dashboard { return []Dashboard{overview(), gateway(), sellers()} }
func back() []Dashboard  { return []Dashboard{console(), stores(), support()} }

func lines(title, help, unit, expr, legend string) Panel {
	return Panel{Title: title, Help: help, Unit: unit, Queries: []Query{{Expr: expr, Legend: legend}}}
}

func (p Panel) kind(k Kind) Panel { p.Kind = k; return p }

func (p Panel) limits(values ...float64) Panel { p.Limits = values; return p }

func (p Panel) stacked() Panel { p.Stacked = true; return p }

// whole returns the panel without the split by pod.
func (p Panel) whole() Panel { p.Whole = true; return p }

func (p Panel) alert(name string) Panel { p.Alert = name; return p }

func (p Panel) also(expr, legend string) Panel {
	p.Queries = append(p.Queries, Query{Expr: expr, Legend: legend})
	return p
}
