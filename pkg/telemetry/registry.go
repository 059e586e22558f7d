package telemetry

import (
	"fmt"
	"slices"

	"github.com/prometheus/client_golang/prometheus"
)

// Counter returns the counter of the catalogue row m, and registers it at the first call. A row of another type, or one that is
// not in the catalogue, is a programming error and panics.
func (t *Telemetry) Counter(m Metric) *prometheus.CounterVec {
	return metricOf(t, m, TypeCounter, func() *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: m.Name, Help: m.Help}, m.Labels)
	})
}

// Gauge returns the gauge of the catalogue row m, and registers it at the first call. It panics as Counter does.
func (t *Telemetry) Gauge(m Metric) *prometheus.GaugeVec {
	return metricOf(t, m, TypeGauge, func() *prometheus.GaugeVec {
		return prometheus.NewGaugeVec(prometheus.GaugeOpts{Name: m.Name, Help: m.Help}, m.Labels)
	})
}

// Histogram returns the histogram of the catalogue row m, and registers it at the first call. It panics as Counter does.
func (t *Telemetry) Histogram(m Metric) *prometheus.HistogramVec {
	return metricOf(t, m, TypeHistogram, func() *prometheus.HistogramVec {
		return prometheus.NewHistogramVec(prometheus.HistogramOpts{Name: m.Name, Help: m.Help, Buckets: m.Buckets}, m.Labels)
	})
}

func metricOf[C prometheus.Collector](t *Telemetry, m Metric, want Type, build func() C) C {
	if m.Type != want {
		panic(fmt.Sprintf("metric %s is a %s, not a %s", m.Name, m.Type, want))
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if known, ok := t.metrics[m.Name]; ok {
		return known.(C)
	}
	mustBeListed(m)
	collector := build()
	t.Registry.MustRegister(collector)
	t.metrics[m.Name] = collector
	return collector
}

func mustBeListed(m Metric) {
	if !slices.ContainsFunc(Catalogue(), func(row Metric) bool { return row.Name == m.Name }) {
		panic(fmt.Sprintf("metric %s is not in the catalogue", m.Name))
	}
}

// Emit reports one value of m with its label values in the order of m.Labels.
type Emit func(m Metric, value float64, labels ...string)

// Observe registers rows whose values are read at each scrape, such as the state of a connection pool. read is called for every
// scrape, possibly concurrently, and must not block; what it emits must be among metrics. An instance observes a row once: a
// second registration is an error.
func (t *Telemetry) Observe(read func(emit Emit), metrics ...Metric) error {
	o := &observer{read: read, descriptions: map[string]*prometheus.Desc{}}
	for _, m := range metrics {
		mustBeListed(m)
		o.descriptions[m.Name] = prometheus.NewDesc(m.Name, m.Help, m.Labels, nil)
	}
	if err := t.Registry.Register(o); err != nil {
		return fmt.Errorf("register metrics read at scrape time: %w", err)
	}
	return nil
}

type observer struct {
	read         func(Emit)
	descriptions map[string]*prometheus.Desc
}

// Describe implements prometheus.Collector.
func (o *observer) Describe(out chan<- *prometheus.Desc) {
	for _, description := range o.descriptions {
		out <- description
	}
}

// Collect implements prometheus.Collector.
func (o *observer) Collect(out chan<- prometheus.Metric) {
	o.read(func(m Metric, value float64, labels ...string) {
		kind := prometheus.GaugeValue
		if m.Type == TypeCounter {
			kind = prometheus.CounterValue
		}
		out <- prometheus.MustNewConstMetric(o.descriptions[m.Name], kind, value, labels...)
	})
}
