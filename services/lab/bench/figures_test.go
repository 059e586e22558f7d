package bench

import (
	"io"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/lab/report"
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
	env, err := pgbench{database: "postgres://u:p%40w@127.0.0.1:5433/trade?sslmode=disable"}.environ()
	require.NoError(t, err)
	for _, want := range []string{"PGPASSWORD=p@w", "PGUSER=u", "PGHOST=127.0.0.1", "PGPORT=5433", "PGDATABASE=trade"} {
		require.Contains(t, env, want)
	}
}

// The ratio of two sides is the median of the ratios of their rounds.
func TestRatio_byRounds(t *testing.T) {
	t.Parallel()
	taken := func(rates ...float64) (s side) {
		for _, rate := range rates {
			s.samples = append(s.samples, sample{perSecond: rate})
		}
		return s
	}
	one, other := taken(3000, 1000, 2000), taken(4000, 2000, 4000)
	require.InDelta(t, 0.5, one.ratio(perSecond, &other, perSecond), 0.001)
	require.InDelta(t, 2000, one.median(perSecond), 0.001)
	require.Equal(t, "2000 (1000–3000)", one.spread(perSecond, "%.0f"))
	even := taken(3, 1)
	require.InDelta(t, 2, even.median(perSecond), 0.001)
}

// Sizes whose pages have different numbers of rows are not compared: a page with 3 rows says nothing about one with 50.
func TestGrown_equalRows(t *testing.T) {
	t.Parallel()
	require.InDelta(t, 1.5, grown{sizes: []sized{{rows: 50, p50: 2}, {rows: 50, p50: 3}, {rows: 3, p50: 9}}}.ratio(), 0.001)
	require.InDelta(t, 1, grown{sizes: []sized{{rows: 3, p50: 2}, {rows: 50, p50: 9}}}.ratio(), 0.001)
}

// Lists of what clients poll are held against their growth, all others against the list without filters.
func TestCompare_polledAndSlowest(t *testing.T) {
	t.Parallel()
	at := func(polled bool, p50s ...time.Duration) grown {
		g := grown{combination: combination{{name: "a", polled: polled}}}
		for _, p50 := range p50s {
			g.sizes = append(g.sizes, sized{p50: p50})
		}
		return g
	}
	plain := at(true, 10, 10)
	plain.combination = nil
	g := growing{b: &benchmark{Options: Options{Sizes: []int{1, 2}}, report: report.New(io.Discard)}}
	g.compare("orders", []grown{plain, at(true, 10, 12), at(false, 10, 50)})
	require.InDelta(t, 1.2, g.b.report.Goals[0].Value, 0.001)
	require.InDelta(t, 5, g.b.report.Goals[1].Value, 0.001)
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
