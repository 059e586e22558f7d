// Package dashboards defines the Grafana dashboards of the system as tables and renders them to the JSON files of the chart.
//
// The files are long and repetitive, so they are not written by hand. A panel here has only what distinguishes it: a
// title, one sentence on what to look for, a unit, the queries. Render adds identifiers, positions, the data source, the
// link to the runbook and everything else that Grafana needs, which therefore cannot be forgotten or collide.
//
// `go generate` rewrites the files, and a test compares them. Dashboards are changed here, not in Grafana.
package dashboards

//go:generate go test -run TestDashboardFiles_renderedFromTables -update .
