package dashboards_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// In an incident the first question is what has changed. After ten minutes a container restarts in its pod, a rollout creates a
// pod of a new version, and a third pod continues unchanged. The two starts and the new version are marked at that time, and
// not later.
func TestAnnotations_markStartsAndVersions(t *testing.T) {
	t.Parallel()
	const series = `      - {series: '%s{job="seller-open-api-orders", namespace="live", pod="%s"%s}', values: "%s"}` + "\n"
	var input strings.Builder
	for pod, starts := range map[string]string{"anew": "100x9 700x20", "new": "_x10 700x20", "old": "100x30"} {
		fmt.Fprintf(&input, series, "process_start_time_seconds", pod, "", starts)
	}
	fmt.Fprintf(&input, series, "build_info", "old", `, version="1"`, "1x30")
	fmt.Fprintf(&input, series, "build_info", "new", `, version="2"`, "_x10 1x20")
	marks := map[string]string{"Starts": "pod", "Releases": "version"}
	marked := map[string][]string{"Starts": {"anew", "new"}, "Releases": {"2"}}
	for _, annotation := range read(t)["overview"].Annotations.List {
		label := marks[annotation.Name]
		require.NotEmpty(t, label, annotation.Name)
		delete(marks, annotation.Name)
		expr := fmt.Sprintf("group by (%s) (%s)", label, choices.Replace(annotation.Expr))
		samples := make([]string, len(marked[annotation.Name]))
		for n, value := range marked[annotation.Name] {
			samples[n] = fmt.Sprintf(`{labels: '{%s="%s"}', value: 1}`, label, value)
		}
		promtool(t, annotation.Name,
			fmt.Sprintf("evaluation_interval: 1m\ntests:\n  - interval: 1m\n    input_series:\n%s    promql_expr_test:\n"+
				"      - {eval_time: 8m, expr: '%[2]s', exp_samples: []}\n      - {eval_time: 11m, expr: '%[2]s', exp_samples: [%[3]s]}\n"+
				"      - {eval_time: 25m, expr: '%[2]s', exp_samples: []}\n", input.String(), expr, strings.Join(samples, ", ")))
	}
	require.Empty(t, marks)
}
