package telemetry

import (
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"go.opentelemetry.io/otel/exporters/otlp/otlptrace/otlptracegrpc"
	"go.opentelemetry.io/otel/sdk/resource"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
)

// Limits of the export to the collector. The queue holds a few seconds of a busy instance; when it is full, spans are dropped.
const (
	spanQueueSize     = 8192
	spanExportTimeout = 10 * time.Second
	exportLogInterval = time.Minute
)

// newTracerProvider creates the provider: with the OTLP exporter when an endpoint is set, with the processors given by tests,
// otherwise one that only generates ids.
func (t *Telemetry) newTracerProvider(ctx context.Context, config Config,
	processors []sdktrace.SpanProcessor,
) (*sdktrace.TracerProvider, error) {
	options := []sdktrace.TracerProviderOption{
		sdktrace.WithResource(resource.NewSchemaless(semconv.ServiceName(t.Service), semconv.ServiceVersion(t.Version))),
		sdktrace.WithSampler(samplerFor(config, len(processors) > 0)),
	}
	for _, processor := range processors {
		options = append(options, sdktrace.WithSpanProcessor(processor))
	}
	if config.Endpoint != "" {
		exporter, err := newExporter(ctx, config.Endpoint)
		if err != nil {
			return nil, err
		}
		reporting := &reportingExporter{next: exporter, logger: t.Logger, failures: t.Counter(TraceExportFailures).WithLabelValues()}
		options = append(options, sdktrace.WithBatcher(reporting,
			sdktrace.WithMaxQueueSize(spanQueueSize), sdktrace.WithExportTimeout(spanExportTimeout)))
	}
	return sdktrace.NewTracerProvider(options...), nil
}

// samplerFor returns the sampler. The caller's decision takes precedence, also across processes.
func samplerFor(config Config, recordAll bool) sdktrace.Sampler {
	switch {
	case recordAll:
		return sdktrace.AlwaysSample()
	case config.Endpoint == "":
		return sdktrace.NeverSample()
	default:
		return sdktrace.ParentBased(sdktrace.TraceIDRatioBased(config.SampleRatio))
	}
}

// newExporter prepares the connection to the collector without waiting for it. An endpoint without a scheme is used without
// TLS, as inside a cluster.
func newExporter(ctx context.Context, endpoint string) (sdktrace.SpanExporter, error) {
	options := []otlptracegrpc.Option{
		otlptracegrpc.WithTimeout(spanExportTimeout),
		otlptracegrpc.WithRetry(otlptracegrpc.RetryConfig{
			Enabled: true, InitialInterval: time.Second, MaxInterval: 5 * time.Second, MaxElapsedTime: spanExportTimeout,
		}),
	}
	if strings.Contains(endpoint, "://") {
		options = append(options, otlptracegrpc.WithEndpointURL(endpoint))
	} else {
		options = append(options, otlptracegrpc.WithEndpoint(endpoint), otlptracegrpc.WithInsecure())
	}
	exporter, err := otlptracegrpc.New(ctx, options...)
	if err != nil {
		return nil, fmt.Errorf("prepare span exporter: %w", err)
	}
	return exporter, nil
}

// reportingExporter handles export failures in this instance: it counts them and logs them at most once a minute. Returned to the
// SDK, they would go to a handler that is global to the process and writes plain text.
type reportingExporter struct {
	next     sdktrace.SpanExporter
	logger   *slog.Logger
	failures prometheus.Counter
	lastLog  atomic.Int64
}

// ExportSpans implements sdktrace.SpanExporter.
func (e *reportingExporter) ExportSpans(ctx context.Context, spans []sdktrace.ReadOnlySpan) error {
	err := e.next.ExportSpans(ctx, spans)
	if err == nil {
		return nil
	}
	e.failures.Add(float64(len(spans)))
	now, last := time.Now().UnixNano(), e.lastLog.Load()
	if now-last >= int64(exportLogInterval) && e.lastLog.CompareAndSwap(last, now) {
		e.logger.WarnContext(ctx, "spans lost: the collector does not accept them", "spans", len(spans), "error", err)
	}
	return nil
}

// Shutdown implements sdktrace.SpanExporter.
func (e *reportingExporter) Shutdown(ctx context.Context) error { return e.next.Shutdown(ctx) }
