package dashboards_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry"
)

// The X-Request-Id of a response leads to its log lines and its trace, the number of an order or a claim to all calls for it
// and their traces. The runbook links to the dashboard with either in the URL, and every panel filters by one of them.
func TestSupport_foundByRequestID(t *testing.T) {
	t.Parallel()
	f := read(t)["support"]
	names := make([]string, len(f.Templating.List))
	for n, v := range f.Templating.List {
		names[n] = v.Name
	}
	require.Subset(t, names, []string{"logs", "traces", "request_id", "number"})
	asked := map[string]string{}
	for _, p := range f.Panels {
		for _, target := range p.Targets {
			require.Regexp(t, `\$(request_id|number)\b`, target.Expr+target.Query, p.Title)
			require.Equal(t, p.Datasource, target.Datasource, p.Title)
			asked[p.Datasource.Type] = p.Datasource.UID
		}
	}
	require.Equal(t, map[string]string{"loki": "${logs}", "tempo": "${traces}"}, asked)
	runbook, err := os.ReadFile("../../seller-open-api/alerts/RUNBOOK.md")
	require.NoError(t, err)
	require.Contains(t, string(runbook), "/d/"+f.UID+"?var-request_id=")
	require.Contains(t, string(runbook), "/d/"+f.UID+"?var-number=")
	lines, spans := expression(t, f, "Calls for the order"), ""
	for _, p := range f.Panels {
		if p.Title == "Traces of the order" {
			spans = p.Targets[0].Query
		}
	}
	for _, field := range telemetry.NumberNames() { // as log lines and spans name them
		require.Contains(t, lines, field+"=`$number`")
		require.Contains(t, lines, field+"s=~`(.+,)?${number:regex}(,.+)?`", "the numbers of a batch")
		require.Contains(t, spans, "span."+field+` = "$number"`)
	}
}
