package dashboards_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var choices = strings.NewReplacer("$__rate_interval", "1m", "$namespace", "live", "$pod", ".*", "$split", "pod")

// One pod of eight takes a second for what takes the others 10 ms. A minute later the panel of the slowest pods and the split
// of the gateway's routes by pod show this pod, and it only, above the others.
func TestPanels_badPodWithinAMinute(t *testing.T) {
	t.Parallel()
	files := read(t)
	for title, expr := range map[string]string{
		"Slowest pods":    expression(t, files["overview"], "Slowest pods"),
		"95th percentile": expression(t, files["gateway"], "95th percentile"),
	} {
		var test strings.Builder
		test.WriteString("evaluation_interval: 15s\ntests:\n  - interval: 15s\n    input_series:\n")
		for pod := range 8 {
			for _, le := range []string{"0.01", "1", "+Inf"} {
				quick := "0+15x8"
				if pod == 3 && le == "0.01" {
					quick = "0+15x3 60x4" // after a minute none of its requests is quick any more
				}
				fmt.Fprintf(&test, "      - {series: 'http_request_duration_seconds_bucket{job=\"seller-open-api-gateway\", "+
					"namespace=\"live\", route=\"/open/v1/orders\", method=\"GET\", pod=\"gateway-%d\", le=\"%s\"}', values: %q}\n", pod, le,
					quick)
			}
		}
		bad := fmt.Sprintf("count by (pod) ((%s) > 0.1)", choices.Replace(expr))
		fmt.Fprintf(&test, "    promql_expr_test:\n      - {eval_time: 2m, expr: '%s', exp_samples: [{labels: "+
			"'{pod=\"gateway-3\"}', value: 1}]}\n", bad)
		promtool(t, title, test.String())
	}
}

func promtool(t *testing.T, name, test string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "test.yaml")
	require.NoError(t, os.WriteFile(path, []byte(test), 0o600))
	out, err := exec.CommandContext(t.Context(), "promtool", "test", "rules", path).CombinedOutput()
	require.NoError(t, err, "%s: %s", name, out)
}

func expression(t *testing.T, f file, title string) string {
	t.Helper()
	for _, p := range f.Panels {
		if p.Title == title {
			return p.Targets[0].Expr
		}
	}
	require.Fail(t, "no panel", title)
	return ""
}

// The panels beside the error budgets show which pod burns them: one of two pods is slow for half of its requests and responds
// to a tenth with a 5xx.
func TestPanels_budgetByPod(t *testing.T) {
	t.Parallel()
	const labels = `job="seller-open-api-gateway", namespace="live", route="/open/v1/orders"`
	var input strings.Builder
	series := func(metric, pod, more, values string) {
		fmt.Fprintf(&input, "      - {series: '%s{%s, pod=\"%s\", %s}', values: %q}\n", metric, labels, pod, more, values)
	}
	for pod, of := range map[string]struct{ quick, failed string }{"good": {"0+60x20", "0x20"}, "bad": {"0+30x20", "0+12x20"}} {
		series("http_request_duration_seconds_bucket", pod, `method="GET", le="0.25"`, of.quick)
		series("http_request_duration_seconds_count", pod, `method="GET"`, "0+60x20")
		series("http_request_duration_seconds_bucket", pod, `method="POST", le="1.0"`, of.quick)
		series("http_request_duration_seconds_count", pod, `method="POST"`, "0+60x20")
		series("http_requests_total", pod, `method="GET", status="500"`, of.failed)
		series("http_requests_total", pod, `method="GET", status="200"`, "0+108x20")
	}
	seen := 0
	for _, p := range read(t)["overview"].Panels {
		want := map[string]string{"Slowness by pod": "0.5", "Failures by pod": "0.1"}[p.Title]
		if want == "" {
			continue
		}
		for _, target := range p.Targets {
			seen++
			expr := choices.Replace(target.Expr)
			promtool(t, p.Title, fmt.Sprintf("evaluation_interval: 15s\ntests:\n  - interval: 15s\n    input_series:\n%s    "+
				"promql_expr_test:\n"+
				"      - {eval_time: 3m, expr: 'round(max by (pod) (%s) > 0, 0.01)', exp_samples: [{labels: '{pod=\"bad\"}', value: %s}]}\n",
				input.String(), expr, want))
		}
	}
	require.Equal(t, 3, seen)
}
