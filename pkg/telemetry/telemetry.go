package telemetry

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"runtime"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"go.opentelemetry.io/otel/metric"
	metricnoop "go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/trace"
)

// Telemetry has the logger, tracing and metrics of one service instance. All fields are set by New and must not be replaced.
type Telemetry struct {
	// Service is the name of the service, as in its logs and spans.
	Service string
	// Version is the version of the build.
	Version string
	// Logger writes JSON lines with the ids of the current span and without secrets.
	Logger *slog.Logger
	// TracerProvider creates the tracers of this instance. Pass it to every instrumented library.
	TracerProvider trace.TracerProvider
	// MeterProvider discards everything, because metrics are Prometheus metrics here. Pass it to libraries that would use the global
	// one.
	MeterProvider metric.MeterProvider
	// Propagator reads and writes the traceparent header. Pass it to every instrumented library.
	Propagator propagation.TextMapPropagator
	// Registry holds the metrics of this instance and serves them on /metrics.
	Registry *prometheus.Registry

	spans *sdktrace.TracerProvider

	mu      sync.Mutex
	metrics map[string]prometheus.Collector
}

type settings struct {
	logs       io.Writer
	processors []sdktrace.SpanProcessor
}

// Option changes how New creates a Telemetry; tests use them.
type Option func(*settings)

// WithLogWriter sends log lines to w instead of standard error. Each line is one call of Write.
func WithLogWriter(w io.Writer) Option { return func(s *settings) { s.logs = w } }

// WithSpanProcessor records every span and passes it to p, even if no endpoint is configured.
func WithSpanProcessor(p sdktrace.SpanProcessor) Option {
	return func(s *settings) { s.processors = append(s.processors, p) }
}

// New creates the telemetry of one service instance. It does not wait for the collector: an unreachable endpoint costs spans
// and is reported in the log, an endpoint that cannot be parsed is an error.
func New(ctx context.Context, service, version string, config Config, options ...Option) (*Telemetry, error) {
	s := settings{logs: os.Stderr}
	if config.Logs != nil {
		s.logs = config.Logs
	}
	for _, option := range options {
		option(&s)
	}
	if config.SampleRatio < 0 || config.SampleRatio > 1 {
		return nil, fmt.Errorf("trace sample ratio %v is not between 0 and 1", config.SampleRatio)
	}
	t := &Telemetry{
		Service:       service,
		Version:       version,
		Logger:        newLogger(s.logs, config.LogLevel).With("service", service, "version", version),
		MeterProvider: metricnoop.NewMeterProvider(),
		Propagator:    propagation.TraceContext{},
		Registry:      prometheus.NewRegistry(),
		metrics:       map[string]prometheus.Collector{},
	}
	t.registerRuntime()
	spans, err := t.newTracerProvider(ctx, config, s.processors)
	if err != nil {
		return nil, err
	}
	t.spans, t.TracerProvider = spans, spans
	return t, nil
}

// Tracer returns the tracer of the named library or package.
func (t *Telemetry) Tracer(name string) trace.Tracer { return t.TracerProvider.Tracer(name) }

// Shutdown exports the queued spans and stops the exporter. It returns when ctx is done at the latest, even if the collector
// does not respond; later spans are dropped.
func (t *Telemetry) Shutdown(ctx context.Context) error {
	if err := t.spans.Shutdown(ctx); err != nil && !errors.Is(err, context.Canceled) {
		return fmt.Errorf("flush spans: %w", err)
	}
	return nil
}

func (t *Telemetry) registerRuntime() {
	t.Registry.MustRegister(
		collectors.NewGoCollector(),
		collectors.NewProcessCollector(collectors.ProcessCollectorOpts{}),
	)
	t.Gauge(BuildInfo).WithLabelValues(t.Service, t.Version, runtime.Version()).Set(1)
}
