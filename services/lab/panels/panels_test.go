package panels_test

import (
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/launch"
	"sellerapi.dev/services/e2e/stacktest"
	"sellerapi.dev/services/lab/panels"
)

const (
	dashboards = "../../../charts/seller-open-api/dashboards"
	rules      = "../../../charts/seller-open-api/alerts/[^k]*.yaml"
	tools      = "../../../.tools/bin"
)

func TestMain(m *testing.M) {
	debug.SetMemoryLimit(4 << 30) // as the chart does; without one there is no limit to show
	if here, err := filepath.Abs(tools); err == nil {
		_ = os.Setenv("PATH", os.Getenv("PATH")+string(os.PathListSeparator)+here)
	}
	os.Exit(m.Run())
}

// timeout is how long it may take until every expression has returned data: rates need a while, some sweeps run once a minute.
const timeout = 5 * time.Minute

func start(t *testing.T, metrics map[string]string) panels.Prometheus {
	t.Helper()
	files, err := filepath.Glob(rules)
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for n := range files {
		files[n], err = filepath.Abs(files[n])
		require.NoError(t, err)
	}
	server, err := launch.Prometheus(t.Context(), filepath.Join(t.TempDir(), "prometheus"),
		panels.Configuration(metrics, files))
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, server.Stop()) })
	prometheus, err := panels.Open(server.URL)
	require.NoError(t, err)
	return prometheus
}

// With the sellers of a marketplace at work, no panel of any dashboard is empty, except those about the cluster around the
// services.
func TestExpressions_allReturnSeries(t *testing.T) {
	t.Parallel()
	all, err := panels.Read(dashboards)
	require.NoError(t, err)
	waiting := map[string]string{}
	for _, dashboard := range all {
		for _, panel := range dashboard.Panels {
			for _, target := range panel.Targets {
				if target.OfCluster() {
					continue
				}
				waiting[target.Query()] = dashboard.Title + " › " + panel.Title
			}
		}
	}
	require.Greater(t, len(waiting), 50)
	s := stacktest.Use(t)
	console := s.Console(t, nil)
	metrics := maps.Clone(s.MetricsURLs)
	metrics["console"] = console.MetricsURL
	prometheus := start(t, metrics)
	began := time.Now()
	stop := startTraffic(t, console)
	defer stop()
	for until := began.Add(timeout); len(waiting) > 0; <-time.After(time.Second) {
		for expression := range waiting {
			found, err := prometheus.Now(t.Context(), expression)
			require.NoError(t, err)
			if len(found) > 0 {
				delete(waiting, expression)
			}
		}
		require.True(t, time.Now().Before(until), "no series in %s for %v", time.Since(began).Round(time.Second), waiting)
	}
	t.Logf("every expression found something within %s", time.Since(began).Round(time.Second))
}
