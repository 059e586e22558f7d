package charts

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/common/model"
	"github.com/stretchr/testify/require"
	"gopkg.in/yaml.v3"

	"sellerapi.dev/charts/internal/rules"
	"sellerapi.dev/charts/internal/vocabulary"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

func allRules(t *testing.T) rules.Rules {
	t.Helper()
	all, err := rules.Read(alerts)
	require.NoError(t, err)
	require.NotEmpty(t, all.Alerts())
	require.NotEmpty(t, all.Records())
	return all
}

func TestRules_useExportedMetrics(t *testing.T) {
	t.Parallel()
	v, err := vocabulary.New(telemetrytest.Discard(t).Registry)
	require.NoError(t, err)
	all := allRules(t)
	for _, record := range all.Records() {
		v.Record(record.Record, "namespace", "class", "seller")
	}
	v.Record("seller_open_api:database_capacity_bytes", "namespace") // the template has these two
	v.Record("seller_open_api:expected", "namespace", "job")
	for _, rule := range all {
		require.NoError(t, v.Check(rule.Expr), rule.Alert+rule.Record)
	}
}

func TestAlerts_haveSeverityAndSummary(t *testing.T) {
	t.Parallel()
	name := regexp.MustCompile(`^SellerOpenAPI([A-Z][a-z]+)+$`)
	seen := map[string]bool{}
	for _, alert := range allRules(t).Alerts() {
		require.Regexp(t, name, alert.Alert)
		require.False(t, seen[alert.Alert], "%s is there twice", alert.Alert)
		seen[alert.Alert] = true
		require.Contains(t, []string{"critical", "warning"}, alert.Labels["severity"], alert.Alert)
		require.NotEmpty(t, alert.Annotations["summary"], alert.Alert)
		require.True(t, strings.HasSuffix(alert.Annotations["description"], "."), "%s: the description is not a sentence", alert.Alert)
		require.Contains(t, alert.Annotations["description"], "$labels.namespace", "%s: live or test?", alert.Alert)
	}
}

func TestRunbook_sectionPerAlert(t *testing.T) {
	t.Parallel()
	all := allRules(t).Alerts()
	names := make([]string, len(all))
	for n, alert := range all {
		names[n] = alert.Alert
	}
	require.ElementsMatch(t, names, sections(read(t, runbook)))
}

const runbook = alerts + "/RUNBOOK.md"

func sections(text string) []string {
	found := regexp.MustCompile(`(?m)^## (.+)$`).FindAllStringSubmatch(text, -1)
	headings := make([]string, len(found))
	for n, heading := range found {
		headings[n] = heading[1]
	}
	return headings
}

func TestRunbook_linksResolve(t *testing.T) {
	t.Parallel()
	text := read(t, runbook)
	headings := sections(strings.ToLower(text))
	for _, link := range regexp.MustCompile(`\]\(#([^)]+)\)`).FindAllStringSubmatch(text, -1) {
		require.Contains(t, headings, link[1])
	}
}

// oneEvent maps the alerts that a single event is meant to raise to the reason. In their tests the namespace "once" has the most
// similar event that must not raise the alert.
var oneEvent = map[string]string{
	"SellerOpenAPISagaStepFailed": "a step that failed permanently is not retried: the claim waits for an operator",
	"SellerOpenAPIJobsPanic":      "a panic is a bug, which the next item may trigger as well",
}

// An alert that fires late, resolves while the problem persists, or fires on a single event loses its credibility. The series of
// the single event must be the same as those of the problem.
func TestAlerts_testedForTheirWholeLife(t *testing.T) {
	t.Parallel()
	cases, err := rules.Cases(alerts)
	require.NoError(t, err)
	whole := map[string]bool{}
	for _, c := range cases {
		if life(t, c.Tests) != "silent firing firing silent" { //nolint:dupword // it is expected to fire twice in a row
			continue
		}
		name := c.Tests[0].Alert
		trouble, once := seriesOf(c, "live"), seriesOf(c, "once")
		if len(once) == 0 {
			continue
		}
		whole[name] = true
		if oneEvent[name] == "" {
			require.Subset(t, trouble, once, "%s: %s: once is an event of another kind", name, c.Name)
			require.ElementsMatch(t, metrics(trouble), metrics(once), "%s: %s", name, c.Name)
		}
	}
	for _, alert := range allRules(t).Alerts() {
		require.True(t, whole[alert.Alert], "no test with %s silent, firing, still firing, silent, and one event in the namespace once",
			alert.Alert)
		delete(whole, alert.Alert)
	}
	for name := range oneEvent {
		require.Contains(t, sections(read(t, runbook)), name)
	}
}

// seriesOf returns the series of one namespace in a test, with the namespace and instance labels removed.
func seriesOf(c rules.Case, namespace string) []string {
	instance := regexp.MustCompile(`, instance="[^"]*"`)
	var all []string
	for _, s := range c.Series {
		if of := `namespace="` + namespace + `"`; strings.Contains(s.Name, of) {
			all = append(all, instance.ReplaceAllString(strings.Replace(s.Name, of, "", 1), ""))
		}
	}
	return all
}

func metrics(series []string) []string {
	var names []string
	for _, s := range series {
		if name, _, _ := strings.Cut(s, "{"); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// life returns the states that a test expects of one alert, in order of time. It returns "" when the test is about several
// alerts.
func life(t *testing.T, tests []rules.Expectation) string {
	t.Helper()
	states := make([]string, len(tests))
	before := model.Duration(0)
	for n, expected := range tests {
		at, err := model.ParseDuration(expected.At)
		require.NoError(t, err)
		require.True(t, n == 0 || expected.Alert != tests[n-1].Alert || at >= before, "%s: not in the order of time", expected.Alert)
		before = at
		states[n] = "silent"
		for _, firing := range expected.Firing {
			require.NotEqual(t, "once", firing.Labels["namespace"], "%s is raised by one event", expected.Alert)
			states[n] = "firing"
		}
		if expected.Alert != tests[0].Alert {
			return ""
		}
	}
	return strings.Join(states, " ")
}

// With the thresholds of values.yaml the rendered rules equal those of the files, and every alert whose expression ends with a
// number has a threshold.
func TestThresholds_defaultsAreThoseOfTheRules(t *testing.T) {
	t.Parallel()
	var v struct {
		Monitoring struct {
			PrometheusRule struct {
				Thresholds map[string]yaml.Node `yaml:"thresholds"`
			} `yaml:"prometheusRule"`
		} `yaml:"monitoring"`
	}
	require.NoError(t, yaml.Unmarshal([]byte(read(t, chart+"/values.yaml")), &v))
	written := map[string]string{}
	for alert, node := range v.Monitoring.PrometheusRule.Thresholds {
		written[alert] = node.Value
	}
	number := regexp.MustCompile(`[<>] ([0-9.]+)\s*$`)
	want, exprs := map[string]string{}, map[string]string{}
	for _, alert := range allRules(t).Alerts() {
		exprs[alert.Alert] = strings.TrimSpace(alert.Expr)
		if found := number.FindStringSubmatch(alert.Expr); found != nil {
			want[alert.Alert] = found[1]
		}
	}
	require.Equal(t, want, written)
	for _, o := range rendered(t, "minimal", "--set", "monitoring.prometheusRule.enabled=always", "--set",
		"monitoring.databaseCapacityBytes=1") {
		if o.text("kind") == "PrometheusRule" {
			text, err := yaml.Marshal(o.at("spec"))
			require.NoError(t, err)
			made, err := rules.Parse(text)
			require.NoError(t, err)
			require.Len(t, made.Alerts(), len(exprs))
			for _, alert := range made.Alerts() {
				require.Equal(t, exprs[alert.Alert], strings.TrimSpace(alert.Expr))
			}
		}
	}
}

func TestRules_passPromtool(t *testing.T) {
	t.Parallel()
	run(t, "promtool", append([]string{"check", "rules", "--lint=all", "--lint-fatal"}, glob(t, alerts+"/[^k]*.yaml")...)...)
	run(t, "promtool", append([]string{"test", "rules"}, glob(t, alerts+"/tests/*_test.yaml")...)...)
}

// glob returns the paths that match the pattern. It fails the test when there is none.
func glob(t *testing.T, pattern string) []string {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	require.NoError(t, err)
	require.NotEmpty(t, paths, pattern)
	return paths
}
