// Package dashboards holds the Grafana dashboards of the system as tables and renders them to the JSON files of the chart.
//
// The files are long and every panel in them repeats what every other panel says, so they are not written by hand. A
// panel here is what makes it different: a title, one sentence on what to look for, a unit, the queries. Identifiers,
// places, the data source, the way to the runbook and everything that Grafana wants besides come from Render, and
// therefore cannot be forgotten or collide.
//
// The files are rewritten by `go generate` and compared by a test. Grafana itself is where they are looked at; they are
// changed here.
package dashboards

//go:generate go test -run TestDashboardFiles_renderedFromTables -update .
