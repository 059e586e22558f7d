package panels

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// Dashboard is a dashboard file of the chart, with the fields that are used here.
type Dashboard struct {
	UID    string  `json:"uid"`
	Title  string  `json:"title"`
	Panels []Panel `json:"panels"`
}

// Panel is a panel, or a heading when its type is "row".
type Panel struct {
	Title   string   `json:"title"`
	Targets []Target `json:"targets"`
}

// Target is an expression of a panel.
type Target struct {
	Expr   string `json:"expr"`
	Source struct {
		Type string `json:"type"`
	} `json:"datasource"`
}

// Read returns the dashboards of a folder, in the order of their file names.
func Read(folder string) ([]Dashboard, error) {
	paths, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil || len(paths) == 0 {
		return nil, fmt.Errorf("no dashboards in %s (%w)", folder, err)
	}
	all := make([]Dashboard, len(paths))
	for n, path := range paths {
		content, err := os.ReadFile(path)
		if err != nil {
			return nil, fmt.Errorf("read a dashboard: %w", err)
		}
		if err := json.Unmarshal(content, &all[n]); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	return all, nil
}

// window replaces Grafana's $__rate_interval: four scrapes, and slack for a busy machine.
const window = 20 * time.Second

// variables replaces the variables at the top of a dashboard, so that all of their values are selected.
var variables = strings.NewReplacer(
	"$__rate_interval", window.String(), "$__range", "5m", "$namespace", ".*", "$pod", ".*", "$split", "job", "$job", ".*",
)

var surroundings = regexp.MustCompile(`\b(kube|kubelet|cnpg)_`)

// OfCluster reports whether the expression needs what only a cluster has beside the services: its exporters, or a store of
// logs or traces.
func (t Target) OfCluster() bool { return !t.ofMetrics() || surroundings.MatchString(t.Expr) }

func (t Target) ofMetrics() bool { return t.Source.Type == "prometheus" }

// Query returns the expression with its variables replaced, as it is sent to Prometheus.
func (t Target) Query() string { return variables.Replace(t.Expr) }
