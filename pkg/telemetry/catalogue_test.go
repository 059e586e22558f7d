package telemetry_test

import (
	"flag"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

var update = flag.Bool("update", false, "rewrite METRICS.md")

// The document of the metrics is the one that is rendered from the catalogue.
func TestDocument_renderedFromCatalogue(t *testing.T) {
	t.Parallel()
	const file = "METRICS.md"
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(document()), 0o600))
	}
	content, err := os.ReadFile(file)
	require.NoError(t, err)
	require.Equal(t, document(), string(content), "run go generate")
}

// Every row of the catalogue has a well-formed name, help, labels and buckets, and names are unique.
func TestCatalogue_rowsWellFormed(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)
	seen := map[string]bool{}
	for _, m := range telemetry.Catalogue() {
		require.Regexp(t, name, m.Name)
		require.False(t, seen[m.Name], "%s is listed twice", m.Name)
		seen[m.Name] = true
		require.True(t, strings.HasSuffix(m.Help, "."), "%s: help is not a sentence", m.Name)
		require.NotContains(t, m.Help, "|", "%s: help would break the table", m.Name)
		require.Equal(t, m.Type == telemetry.TypeHistogram, len(m.Buckets) > 0, "%s: buckets", m.Name)
		require.Equal(t, m.Type == telemetry.TypeCounter, strings.HasSuffix(m.Name, "_total"), "%s: suffix", m.Name)
		for _, label := range m.Labels {
			require.Regexp(t, name, label)
		}
	}
}

func TestCatalogue_registersAndPassesLinter(t *testing.T) {
	t.Parallel()
	tel := telemetrytest.Discard(t)
	for _, m := range telemetry.Catalogue() {
		labels := make([]string, len(m.Labels))
		switch m.Type {
		case telemetry.TypeCounter:
			tel.Counter(m).WithLabelValues(labels...).Inc()
		case telemetry.TypeGauge:
			tel.Gauge(m).WithLabelValues(labels...).Set(1)
		case telemetry.TypeHistogram:
			tel.Histogram(m).WithLabelValues(labels...).Observe(.1)
		}
	}
	problems, err := testutil.GatherAndLint(tel.Registry)
	require.NoError(t, err)
	require.Empty(t, problems)
}
