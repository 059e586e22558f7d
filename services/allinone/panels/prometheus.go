package panels

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// scrapeInterval is the time between two scrapes of each service.
const scrapeInterval = 2 * time.Second

// Prometheus is a Prometheus server at its base URL.
type Prometheus struct{ URL string }

// Configuration returns a configuration with which Prometheus scrapes the services, given by name and metrics page, and
// evaluates the rules in the files. The job names are those that the chart's ServiceMonitor generates.
func Configuration(services map[string]string, rules []string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "global: {scrape_interval: %s, scrape_timeout: %s, evaluation_interval: %s}\nrule_files: [%s]\nscrape_configs:\n",
		scrapeInterval, scrapeInterval, scrapeInterval, `"`+strings.Join(rules, `", "`)+`"`)
	for _, name := range sorted(services) {
		host := strings.TrimSuffix(strings.TrimPrefix(services[name], "http://"), "/metrics")
		fmt.Fprintf(&text, "  - job_name: seller-open-api-%s\n    static_configs: [{targets: [%q], labels: {namespace: preview}}]\n", name, host)
	}
	return text.String()
}

// sorted returns the sorted keys of a map.
func sorted[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// Series is a series of the answer to a query.
type Series struct {
	Labels map[string]string
	Points []Point
}

// Point is a value at a time, given in seconds since 1970.
type Point struct{ At, Value float64 }

// Last returns the latest value.
func (s Series) Last() float64 { return s.Points[len(s.Points)-1].Value }

// Now returns the current values of an expression. Values that are NaN or infinite are omitted, and so are series without
// any other value.
func (p Prometheus) Now(ctx context.Context, expression string) ([]Series, error) {
	return p.ask(ctx, "/api/v1/query", url.Values{"query": {expression}})
}

// Since returns the values of an expression from a moment until now, at intervals of a scrape.
func (p Prometheus) Since(ctx context.Context, expression string, from time.Time) ([]Series, error) {
	return p.ask(ctx, "/api/v1/query_range", url.Values{
		"query": {expression}, "start": {stamp(from)}, "end": {stamp(time.Now())}, "step": {scrapeInterval.String()},
	})
}

// Exemplar is a measured value, and the trace of the request that it was measured for.
type Exemplar struct {
	// Labels are those of the series.
	Labels map[string]string
	Trace  string
	Value  float64
}

// Exemplars returns the exemplars of the series in an expression from a moment until now, as Grafana requests them for a panel.
func (p Prometheus) Exemplars(ctx context.Context, expression string, from time.Time) ([]Exemplar, error) {
	text, err := p.get(ctx, "/api/v1/query_exemplars", url.Values{"query": {expression}, "start": {stamp(from)}, "end": {stamp(time.Now())}})
	var got struct {
		Data []struct {
			Series    map[string]string `json:"seriesLabels"`
			Exemplars []struct {
				Labels map[string]string `json:"labels"`
				Value  string            `json:"value"`
			} `json:"exemplars"`
		} `json:"data"`
	}
	if problem := json.Unmarshal(text, &got); err != nil || problem != nil {
		return nil, fmt.Errorf("exemplars of %s: %w", expression, errors.Join(err, problem))
	}
	var all []Exemplar
	for _, series := range got.Data {
		for _, one := range series.Exemplars {
			value, err := strconv.ParseFloat(one.Value, 64)
			if err != nil {
				return nil, fmt.Errorf("exemplars of %s: %w", expression, err)
			}
			all = append(all, Exemplar{Labels: series.Series, Trace: one.Labels["trace_id"], Value: value})
		}
	}
	return all, nil
}

func stamp(at time.Time) string { return strconv.FormatFloat(float64(at.UnixMilli())/1000, 'f', 3, 64) }

// answer is the JSON form of Prometheus' answers.
type answer struct {
	Error string `json:"error"`
	Data  struct {
		Result []struct {
			Metric map[string]string `json:"metric"`
			Value  *sample           `json:"value"`
			Values []sample          `json:"values"`
		} `json:"result"`
	} `json:"data"`
}

// sample is a time and a value, which is a string in JSON.
type sample Point

// UnmarshalJSON implements json.Unmarshaler.
func (s *sample) UnmarshalJSON(text []byte) error {
	var value string
	if err := json.Unmarshal(text, &[]any{&s.At, &value}); err != nil {
		return fmt.Errorf("sample %s: %w", text, err)
	}
	number, err := strconv.ParseFloat(value, 64)
	s.Value = number
	return err
}

func (p Prometheus) ask(ctx context.Context, path string, query url.Values) ([]Series, error) {
	text, err := p.get(ctx, path, query)
	var got answer
	if problem := json.Unmarshal(text, &got); err != nil || problem != nil {
		return nil, fmt.Errorf("%s: %w: %s", query.Get("query"), errors.Join(err, problem), got.Error)
	}
	var all []Series
	for _, one := range got.Data.Result {
		if one.Value != nil {
			one.Values = append(one.Values, *one.Value)
		}
		series := Series{Labels: one.Metric}
		for _, s := range one.Values {
			if !math.IsNaN(s.Value) && !math.IsInf(s.Value, 0) {
				series.Points = append(series.Points, Point(s))
			}
		}
		if len(series.Points) > 0 {
			all = append(all, series)
		}
	}
	return all, nil
}

// get sends a request; it returns an error together with the body of an answer that is not a success.
func (p Prometheus) get(ctx context.Context, path string, query url.Values) ([]byte, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, p.URL+path+"?"+query.Encode(), nil)
	if err != nil {
		return nil, fmt.Errorf("query Prometheus: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return nil, fmt.Errorf("query Prometheus: %w", err)
	}
	defer func() { _ = response.Body.Close() }()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode != http.StatusOK {
		err = fmt.Errorf("Prometheus responded with %s", response.Status)
	}
	return text, err
}
