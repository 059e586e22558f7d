package dashboards_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"
)

// Who has the X-Request-Id of an answer gets its log lines and its trace: the runbook leads to the view with the id in the address, and
// every panel asks for it.
func TestSupport_foundByRequestID(t *testing.T) {
	t.Parallel()
	f := read(t)["support"]
	names := make([]string, len(f.Templating.List))
	for n, v := range f.Templating.List {
		names[n] = v.Name
	}
	require.Subset(t, names, []string{"logs", "traces", "request_id"})
	asked := map[string]string{}
	for _, p := range f.Panels {
		for _, target := range p.Targets {
			require.Contains(t, target.Expr+target.Query, "$request_id", p.Title)
			require.Equal(t, p.Datasource, target.Datasource, p.Title)
			asked[p.Datasource.Type] = p.Datasource.UID
		}
	}
	require.Equal(t, map[string]string{"loki": "${logs}", "tempo": "${traces}"}, asked)
	runbook, err := os.ReadFile("../../seller-open-api/alerts/RUNBOOK.md")
	require.NoError(t, err)
	require.Contains(t, string(runbook), "/d/"+f.UID+"?var-request_id=")
}
