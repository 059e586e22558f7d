// Package vocabulary knows which metrics and labels exist, and which values the table of operations gives to some of the labels,
// and checks PromQL against them: an expression over a metric that is not exported, or over a route that is not served, is valid,
// but draws an empty panel and never fires an alert.
package vocabulary

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/model"
	"github.com/prometheus/prometheus/promql/parser"

	"sellerapi.dev/pkg/telemetry"
)

// target are the labels that a scrape adds to every series.
var target = []string{"job", "namespace", "instance", "pod"}

// foreign has the metrics of other exporters in the cluster (kube-state-metrics, the kubelet, CloudNativePG), with those of their
// labels that are used.
var foreign = Vocabulary{
	"kube_horizontalpodautoscaler_spec_max_replicas":       {"namespace", "horizontalpodautoscaler"},
	"kube_horizontalpodautoscaler_spec_min_replicas":       {"namespace", "horizontalpodautoscaler"},
	"kube_horizontalpodautoscaler_status_current_replicas": {"namespace", "horizontalpodautoscaler"},
	"kube_horizontalpodautoscaler_status_desired_replicas": {"namespace", "horizontalpodautoscaler"},
	"kube_horizontalpodautoscaler_status_condition": {
		"namespace", "horizontalpodautoscaler",
		"condition", "status",
	},
	"kubelet_volume_stats_available_bytes":                           {"namespace", "persistentvolumeclaim"},
	"kubelet_volume_stats_capacity_bytes":                            {"namespace", "persistentvolumeclaim"},
	"cnpg_pg_replication_lag":                                        {"namespace", "pod"},
	"cnpg_pg_replication_streaming_replicas":                         {"namespace", "pod"},
	"cnpg_collector_pg_wal":                                          {"namespace", "pod", "value"},
	"cnpg_collector_pg_wal_archive_status":                           {"namespace", "pod", "value"},
	"cnpg_collector_last_available_backup_timestamp":                 {"namespace", "pod"},
	"cnpg_collector_up":                                              {"namespace", "pod"},
	"barman_cloud_cloudnative_pg_io_last_available_backup_timestamp": {"namespace", "pod"},
}

// IsForeign reports whether a metric comes from another exporter than the services, and so is not available wherever they run.
func IsForeign(metric string) bool { return foreign[metric] != nil }

// Vocabulary maps the names of series to their labels.
type Vocabulary map[string][]string

// New returns the vocabulary of what the services export: the catalogue, the other metrics of the registry (the Go runtime, the
// process), and Prometheus' own "up" and "ALERTS". It also has the metrics of the foreign exporters.
func New(registry *prometheus.Registry) (Vocabulary, error) {
	v := Vocabulary{"up": target, "ALERTS": {"alertname", "alertstate", "namespace", "seller"}}
	maps.Copy(v, foreign)
	families, err := registry.Gather()
	if err != nil {
		return nil, fmt.Errorf("read the metrics of the runtime: %w", err)
	}
	for _, family := range families {
		v[family.GetName()] = target
	}
	for _, metric := range telemetry.Catalogue() {
		v.add(metric)
	}
	return v, nil
}

func (v Vocabulary) add(metric telemetry.Metric) {
	names := slices.Concat(metric.Labels, target)
	if metric.Type != telemetry.TypeHistogram {
		v[metric.Name] = names
		return
	}
	v[metric.Name+"_bucket"] = append(slices.Clone(names), "le")
	v[metric.Name+"_count"], v[metric.Name+"_sum"] = names, names
}

// Record adds the series of a recording rule.
func (v Vocabulary) Record(name string, labels ...string) { v[name] = labels }

var grafana = strings.NewReplacer("$__rate_interval", "5m", "$__range", "1h", "$namespace", "live", "$pod", "orders-1", "$split",
	"pod", "$job", "seller-open-api-orders")

// Check returns all problems of an expression, which may contain variables of Grafana, as one error.
func (v Vocabulary) Check(expression string) error {
	parsed, err := parser.NewParser(parser.Options{}).ParseExpr(grafana.Replace(expression))
	if err != nil {
		return fmt.Errorf("%s: %w", expression, err)
	}
	var problems []error
	known := v.labels(parsed)
	parser.Inspect(parsed, func(node parser.Node, _ []parser.Node) error {
		switch n := node.(type) {
		case *parser.VectorSelector:
			problems = append(problems, v.selector(n))
		case *parser.AggregateExpr:
			for _, label := range n.Grouping {
				if !slices.Contains(known, label) {
					problems = append(problems, fmt.Errorf("grouped by %q, which no metric in it has", label))
				}
			}
		}
		return nil
	})
	if err := errors.Join(problems...); err != nil {
		return fmt.Errorf("%s: %w", expression, err)
	}
	return nil
}

func (v Vocabulary) labels(expression parser.Expr) []string {
	var all []string
	parser.Inspect(expression, func(node parser.Node, _ []parser.Node) error {
		if selector, ok := node.(*parser.VectorSelector); ok {
			all = append(all, v[selector.Name]...)
		}
		return nil
	})
	return all
}

func (v Vocabulary) selector(selector *parser.VectorSelector) error {
	known, ok := v[selector.Name]
	if !ok {
		return fmt.Errorf("no exporter has the metric %q", selector.Name)
	}
	var problems []error
	for _, matcher := range selector.LabelMatchers {
		if matcher.Name != model.MetricNameLabel && !slices.Contains(known, matcher.Name) {
			problems = append(problems, fmt.Errorf("%s has no label %q", selector.Name, matcher.Name))
		}
		problems = append(problems, checkValue(matcher))
	}
	return errors.Join(problems...)
}

// Selectors returns the names of the metrics in an expression.
func Selectors(expression string) ([]string, error) {
	parsed, err := parser.NewParser(parser.Options{}).ParseExpr(grafana.Replace(expression))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", expression, err)
	}
	var names []string
	parser.Inspect(parsed, func(node parser.Node, _ []parser.Node) error {
		if selector, ok := node.(*parser.VectorSelector); ok {
			names = append(names, selector.Name)
		}
		return nil
	})
	return names, nil
}
