package telemetry_test

import (
	"strings"
	"sync"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// Requesting a metric twice returns the same one, also concurrently.
func TestMetrics_askedTwiceAreTheSame(t *testing.T) {
	t.Parallel()
	tel := telemetrytest.Discard(t)
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() { tel.Counter(telemetry.KeyLookups).WithLabelValues("call").Inc() })
	}
	group.Wait()
	require.InDelta(t, 8, testutil.ToFloat64(tel.Counter(telemetry.KeyLookups).WithLabelValues("call")), 0)
}

// Every instance reports metrics of the runtime, the process and the build.
func TestMetrics_runtimeProcessAndBuild(t *testing.T) {
	t.Parallel()
	families, err := telemetrytest.Discard(t).Registry.Gather()
	require.NoError(t, err)
	names := map[string]bool{}
	for _, family := range families {
		names[family.GetName()] = true
	}
	require.True(t, names["go_goroutines"])
	require.True(t, names["process_open_fds"])
	require.True(t, names["build_info"])
}

// A metric that is not in the catalogue, or has another type there, cannot be used.
func TestMetrics_onlyThoseOfTheCatalogue(t *testing.T) {
	t.Parallel()
	tel := telemetrytest.Discard(t)
	stranger := telemetry.Metric{Name: "stranger_total", Type: telemetry.TypeCounter, Help: "None."}
	require.PanicsWithValue(t, "metric stranger_total is not in the catalogue", func() { tel.Counter(stranger) })
	require.PanicsWithValue(t, "metric key_lookups_total is a counter, not a gauge", func() { tel.Gauge(telemetry.KeyLookups) })
}

// Observed metrics are read at every scrape.
func TestObserve_readAtEveryScrape(t *testing.T) {
	t.Parallel()
	tel := telemetrytest.Discard(t)
	idle := 0.0
	read := func(emit telemetry.Emit) {
		idle++
		emit(telemetry.DBPoolConnections, idle, "idle")
		emit(telemetry.DBPoolAcquires, 7)
	}
	require.NoError(t, tel.Observe(read, telemetry.DBPoolConnections, telemetry.DBPoolAcquires))
	for _, want := range []string{"1", "2"} {
		require.NoError(t, testutil.GatherAndCompare(tel.Registry, strings.NewReader(`
# HELP db_pool_acquires_total Connections acquired from the pool.
# TYPE db_pool_acquires_total counter
db_pool_acquires_total 7
# HELP db_pool_connections Connections of the pool. state: in_use, idle, opening, max (the limit).
# TYPE db_pool_connections gauge
db_pool_connections{state="idle"} `+want+"\n"), "db_pool_connections", "db_pool_acquires_total"))
	}
	require.Error(t, tel.Observe(read, telemetry.DBPoolConnections), "a second observer would report everything twice")
}
