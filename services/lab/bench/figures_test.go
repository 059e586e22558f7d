package bench

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch/goal"
)

const pgbenchReport = `progress: 1.0 s, 100.0 tps, lat 9.8 ms stddev 1.2, 0 failed
progress: 2.0 s, 800.0 tps, lat 9.8 ms stddev 1.2, 0 failed
progress: 3.0 s, 900.0 tps, lat 9.8 ms stddev 1.2, 0 failed
number of transactions actually processed: 1800
number of failed transactions: 0 (0.000%)
tps = 600.5 (without initial connection time)
`

// The seconds in which sessions, plans and caches warm up are not part of the rate.
func TestReadReport(t *testing.T) {
	t.Parallel()
	for warm, want := range []float64{600, 850, 900, 600.5} {
		read, err := readReport(pgbenchReport, warm)
		require.NoError(t, err)
		require.InDelta(t, want, read.perSecond, 0.01, warm)
		require.EqualValues(t, 1800, read.transactions)
	}
}

// A report with a failed transaction is an error, because a failed transaction does nothing, and does so quickly.
func TestReadReport_failed(t *testing.T) {
	t.Parallel()
	withoutEnd, _, _ := strings.Cut(pgbenchReport, "tps = ")
	for name, report := range map[string]string{
		"failed": strings.ReplaceAll(pgbenchReport, "transactions: 0", "transactions: 3"),
		"none":   strings.ReplaceAll(pgbenchReport, "processed: 1800", "processed: 0"),
		"no end": withoutEnd,
	} {
		_, err := readReport(report, 1)
		require.Error(t, err, name)
	}
}

func TestEnviron_passwordNotInArguments(t *testing.T) {
	t.Parallel()
	env, err := pgbench{database: "postgres://u:p%40w@127.0.0.1:5433/trade?sslmode=disable", session: "-c x=y"}.environ()
	require.NoError(t, err)
	for _, want := range []string{
		"PGPASSWORD=p@w", "PGUSER=u", "PGHOST=127.0.0.1", "PGPORT=5433", "PGDATABASE=trade",
		"PGOPTIONS=-c x=y",
	} {
		require.Contains(t, env, want)
	}
}

func TestSpreadOf(t *testing.T) {
	t.Parallel()
	self := func(f float64) float64 { return f }
	require.Equal(t, spread{Median: 3, Min: 1, Max: 9}, spreadOf([]float64{9, 1, 3}, self))
	require.Equal(t, spread{Median: 2, Min: 1, Max: 3}, spreadOf([]float64{3, 1}, self))
}

// Sizes whose pages have different numbers of rows are not compared: a page with 3 rows says nothing about one with 50.
func TestRatioOf_equalRows(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 1.5, ratioOf([]SizeReport{{Rows: 50, P50: 2}, {Rows: 50, P50: 3}, {Rows: 3, P50: 9}}), 0.001)
	require.InDelta(t, 1, ratioOf([]SizeReport{{Rows: 3, P50: 2}, {Rows: 50, P50: 9}}), 0.001)
}

// Bars are met or missed by the figure that is printed, and parts that were not measured are not compared.
func TestCheck(t *testing.T) {
	t.Parallel()
	gateway := SideReport{
		PerSecond: spread{Median: 500},
		CPU:       map[string]spread{"gateway": {Median: 3000}, "orders": {Median: 4000}},
	}
	var out bytes.Buffer
	b := &benchmark{Options: Options{Out: &out}, report: Report{Calls: []CallReport{{
		Name: listPages[0], Compressing: 1000, Sides: map[string]SideReport{
			throughGateway: gateway,
			sameStatements: {PerSecond: spread{Median: 800}},
		},
	}}}}
	require.NoError(t, b.compareWithBars())
	require.Equal(t, []goal.Goal{
		{Name: "orders, first page, of pgbench", Bar: "≥ 0.6", Value: 0.625, Met: true},
		{Name: "orders, first page, CPU of the services, of compressing the page", Bar: "≤ 5", Value: 7, Unit: "x"},
	}, b.report.Goals)
	require.Regexp(t, `of compressing the page +7.00 x +≤ 5 +MISSED`, out.String())
	require.ErrorIs(t, goal.Missed(b.report.Goals), goal.ErrMissed)
}

// No bar is a time: what it says would depend on the machine and on what else it does.
func TestBars_noTimes(t *testing.T) {
	t.Parallel()
	for _, one := range bars() {
		require.Contains(t, []string{"", "x", "MiB"}, one.Unit, one.Name)
	}
}

// Filters are compared with the list without filters of the same orders, imported or not.
func TestWorst_ofPlainList(t *testing.T) {
	t.Parallel()
	at := func(name string, imported bool, p50, cold float64) GrowthReport {
		return GrowthReport{Name: name, Imported: imported, Sizes: []SizeReport{{P50: p50}}, Cold: cold}
	}
	r := &Report{Growth: []GrowthReport{
		at("no filter", true, 10, 100), at("a", true, 20, 0), at("b", true, 15, 700), at("no filter", false, 1, 10),
		at("a", false, 9, 30),
	}}
	for imported, want := range map[bool][2]float64{true: {2, 7}, false: {9, 3}} {
		for i, figure := range []func(GrowthReport) float64{GrowthReport.p50, GrowthReport.cold} {
			got, err := worst(imported, timesPlain(figure))(r)
			require.NoError(t, err)
			require.InDelta(t, want[i], got, 0.001)
		}
	}
	_, err := worst(true, timesPlain(GrowthReport.p50))(&Report{Growth: r.Growth[1:]})
	require.ErrorIs(t, err, errNotMeasured)
	_, err = worst(true, timesPlain(GrowthReport.cold))(&Report{Growth: []GrowthReport{at("no filter", true, 1, 0)}})
	require.ErrorIs(t, err, errNotMeasured)
}

// Services get the memory limit that the chart computes, and their own values instead of the common ones.
func TestPod_asTheChart(t *testing.T) {
	t.Parallel()
	c, err := readChart("../../..")
	require.NoError(t, err)
	c.Defaults.LogLevel = "WARN"
	orders, err := c.pod("orders")
	require.NoError(t, err)
	require.Equal(t, "WARN", orders["LOG_LEVEL"])
	require.Equal(t, goMemoryLimit(c.Defaults.Resources.Limits.Memory), orders["GOMEMLIMIT"])
	gateway, err := c.pod("gateway")
	require.NoError(t, err)
	require.NotEqual(t, orders["GOMEMLIMIT"], gateway["GOMEMLIMIT"])
	require.Equal(t, "921MiB", goMemoryLimit("1Gi"))
	require.Empty(t, goMemoryLimit("1e9"))
}
