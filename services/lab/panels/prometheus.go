package panels

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/prometheus/client_golang/api"
	v1 "github.com/prometheus/client_golang/api/prometheus/v1"
	"github.com/prometheus/common/model"
)

const scrapeInterval = 2 * time.Second

// Configuration returns a configuration with which Prometheus scrapes the services, given by name and metrics page, and
// evaluates the rules in the files. The job names are those that the chart's ServiceMonitor generates.
func Configuration(services map[string]string, rules []string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "global: {scrape_interval: %s, scrape_timeout: %s, evaluation_interval: %s}\nrule_files: "+
		"[%s]\nscrape_configs:\n",
		scrapeInterval, scrapeInterval, scrapeInterval, `"`+strings.Join(rules, `", "`)+`"`)
	for _, name := range slices.Sorted(maps.Keys(services)) {
		host := strings.TrimSuffix(strings.TrimPrefix(services[name], "http://"), "/metrics")
		fmt.Fprintf(&text, "  - job_name: seller-open-api-%s\n    static_configs: [{targets: [%q], labels: {namespace: check}}]\n",
			name, host)
	}
	return text.String()
}

// Prometheus queries a Prometheus server.
type Prometheus struct{ api v1.API }

// Open returns a client of the server at a base URL.
func Open(url string) (Prometheus, error) {
	client, err := api.NewClient(api.Config{Address: url})
	if err != nil {
		return Prometheus{}, fmt.Errorf("client of Prometheus: %w", err)
	}
	return Prometheus{v1.NewAPI(client)}, nil
}

// Now returns the current values of an expression, without those that are NaN or infinite.
func (p Prometheus) Now(ctx context.Context, expression string) (model.Vector, error) {
	found, _, _, err := p.api.Query(ctx, expression, time.Time{})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", expression, err)
	}
	switch values := found.(type) {
	case model.Vector:
		return slices.DeleteFunc(values, func(s *model.Sample) bool { return !finite(s.Value) }), nil
	case *model.Scalar:
		if finite(values.Value) {
			return model.Vector{{Value: values.Value}}, nil
		}
		return nil, nil
	default:
		return nil, fmt.Errorf("%s returned a %s", expression, found.Type())
	}
}

func finite(value model.SampleValue) bool {
	return !math.IsNaN(float64(value)) && !math.IsInf(float64(value), 0)
}

// Exemplars returns the exemplars of the series in an expression from a moment until now, as Grafana requests them for a panel.
func (p Prometheus) Exemplars(ctx context.Context, expression string, from time.Time) ([]v1.ExemplarQueryResult, error) {
	found, err := p.api.QueryExemplars(ctx, expression, from, time.Now())
	if err != nil {
		return nil, fmt.Errorf("exemplars of %s: %w", expression, err)
	}
	return found, nil
}
