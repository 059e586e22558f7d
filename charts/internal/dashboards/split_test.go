package dashboards_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/charts/internal/vocabulary"
)

// In an incident one must find the affected pod: every line of a service can be split by pod and restricted to a pod.
func TestPanels_splitByPod(t *testing.T) {
	t.Parallel()
	var whole []string
	for name, f := range read(t) {
		for _, p := range f.Panels {
			if !p.ofMetrics() || p.Type == "row" {
				continue
			}
			split := true
			for _, target := range p.Targets {
				names, err := vocabulary.Selectors(target.Expr)
				require.NoError(t, err)
				if !slices.ContainsFunc(names, hasNoPods) {
					require.Contains(t, target.Expr, `pod=~"$pod"`, "%s: %s", name, p.Title)
				}
				split = split && strings.Contains(target.Expr, "$split")
			}
			if !split {
				whole = append(whole, name+": "+p.Title)
			}
		}
	}
	var listed []string
	for _, titles := range unsplit {
		listed = append(listed, titles...)
	}
	require.ElementsMatch(t, listed, whole)
}

// hasNoPods reports whether a metric comes from another exporter than the services, or is recorded for all pods together.
func hasNoPods(metric string) bool {
	return vocabulary.IsForeign(metric) || strings.HasPrefix(metric, "seller_open_api:")
}

// unsplit lists the panels whose lines cannot be split by pod, by the reason.
var unsplit = map[string][]string{
	"the objective covers all pods together": {
		"overview: Reads answered", "overview: Reads within 250 ms", "overview: Process calls answered",
		"overview: Process calls within 1 s",
		"overview: Failures", "overview: Slowness", "overview: Failures of reads", "overview: Slowness of reads",
		"overview: Failures of process calls", "overview: Slowness of process calls",
	},
	"it counts pods": {"overview: Ready instances"},
	"every pod reports the same": {
		"overview: Oldest pending step", "overview: Deadlines missed", "overview: Open orders and claims",
		"stores: Bytes", "stores: Growth per day", "stores: Rows", "stores: Stored", "stores: Past retention",
		"claims: Claims by state", "claims: Claims by type", "claims: Refunds by state", "claims: Deadlines missed",
		"claims: Oldest unanswered refund", "claims: Oldest pending step",
		"orders: Orders by state of their items", "orders: Purchases not confirmed in time", "gateway: Today beyond the limit",
	},
	"its metrics come from other exporters": {
		"overview: Autoscaler", "stores: Replication lag", "stores: WAL on disk", "stores: Segments to be archived",
		"stores: Free on volumes",
	},
	"the rows of a heat map are its bounds": {"gateway: Response time"},
}
