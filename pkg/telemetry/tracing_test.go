package telemetry_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/propagation"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"
	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	"google.golang.org/grpc"

	"sellerapi.dev/pkg/telemetry"
)

// fakeCollector keeps what it is sent.
type fakeCollector struct {
	collector.UnimplementedTraceServiceServer
	mu       sync.Mutex
	received []*collector.ExportTraceServiceRequest
}

// Export implements the collector's service.
func (c *fakeCollector) Export(_ context.Context, request *collector.ExportTraceServiceRequest) (*collector.ExportTraceServiceResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.received = append(c.received, request)
	return &collector.ExportTraceServiceResponse{}, nil
}

// startCollector serves a collector on a free port and returns its address.
func startCollector(t *testing.T) (*fakeCollector, string) {
	t.Helper()
	port, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	c, server := &fakeCollector{}, grpc.NewServer()
	collector.RegisterTraceServiceServer(server, c)
	done := make(chan error, 1)
	go func() { done <- server.Serve(port) }()
	t.Cleanup(func() {
		server.Stop()
		require.NoError(t, <-done)
	})
	return c, port.Addr().String()
}

func TestSpansReachTheCollectorWithServiceAndVersion(t *testing.T) {
	t.Parallel()
	for _, scheme := range []string{"http://", ""} {
		c, address := startCollector(t)
		tel, err := telemetry.New(t.Context(), "claims", "2.0.0", telemetry.Config{Endpoint: scheme + address, SampleRatio: 1}, telemetry.WithLogWriter(io.Discard))
		require.NoError(t, err)
		_, span := tel.Tracer("test").Start(t.Context(), "work")
		span.End()
		require.NoError(t, tel.Shutdown(t.Context()))

		require.Len(t, c.received, 1)
		spans := c.received[0].GetResourceSpans()[0]
		require.Equal(t, "work", spans.GetScopeSpans()[0].GetSpans()[0].GetName())
		attributes := map[string]string{}
		for _, a := range spans.GetResource().GetAttributes() {
			attributes[a.GetKey()] = a.GetValue().GetStringValue()
		}
		require.Equal(t, map[string]string{"service.name": "claims", "service.version": "2.0.0"}, attributes)
	}
}

// A collector that takes connections and never answers is the worst one: everything that waits for it waits long.
func TestASilentCollectorDelaysNeitherRequestsNorTheEnd(t *testing.T) {
	t.Parallel()
	port, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = port.Close() })
	tel, err := telemetry.New(t.Context(), "claims", "2", telemetry.Config{Endpoint: port.Addr().String(), SampleRatio: 1}, telemetry.WithLogWriter(io.Discard))
	require.NoError(t, err)

	start := time.Now()
	for range 20_000 { // more than the queue holds
		_, span := tel.Tracer("test").Start(t.Context(), "work")
		span.End()
	}
	require.Less(t, time.Since(start), 5*time.Second, "ending a span waited for the collector")

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, tel.Shutdown(ctx), context.DeadlineExceeded)
}

func TestTheCallersSamplingDecisionWins(t *testing.T) {
	t.Parallel()
	_, address := startCollector(t)
	for _, c := range []struct {
		ratio  float64
		header string
		want   bool
	}{
		{0, "", false},
		{1, "", true},
		{0, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true},
		{1, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", false},
	} {
		tel, err := telemetry.New(t.Context(), "s", "v", telemetry.Config{Endpoint: address, SampleRatio: c.ratio}, telemetry.WithLogWriter(io.Discard))
		require.NoError(t, err)
		header := http.Header{}
		if c.header != "" {
			header.Set("Traceparent", c.header)
		}
		ctx := tel.Propagator.Extract(t.Context(), propagation.HeaderCarrier(header))
		_, span := tel.Tracer("test").Start(ctx, "work")
		require.Equal(t, c.want, span.IsRecording(), "%+v", c)
		span.End()
		require.NoError(t, tel.Shutdown(t.Context()))
	}
}

func TestWithoutAnEndpointNothingIsRecordedButIdsArePassedOn(t *testing.T) {
	t.Parallel()
	tel := telemetry.Discard(t)
	ctx, span := tel.Tracer("test").Start(t.Context(), "work")
	defer span.End()
	require.False(t, span.IsRecording())
	header := http.Header{}
	tel.Propagator.Inject(ctx, propagation.HeaderCarrier(header))
	require.Contains(t, header.Get("Traceparent"), trace.SpanContextFromContext(ctx).TraceID().String())
}

func TestARecorderSeesEverySpan(t *testing.T) {
	t.Parallel()
	tel, recorder := telemetry.Recording(t)
	_, span := tel.Tracer("test").Start(t.Context(), "work")
	span.End()
	require.Len(t, recorder.Ended(), 1)

	exporter := tracetest.NewInMemoryExporter()
	tel, err := telemetry.New(t.Context(), "s", "v", telemetry.Config{}, telemetry.WithSpanProcessor(sdktrace.NewSimpleSpanProcessor(exporter)))
	require.NoError(t, err)
	_, span = tel.Tracer("test").Start(t.Context(), "other")
	span.End()
	require.Len(t, exporter.GetSpans(), 1)
	require.NoError(t, tel.Shutdown(t.Context()))
}

func TestARatioOutsideZeroToOneIsRefused(t *testing.T) {
	t.Parallel()
	for _, ratio := range []float64{-0.1, 1.1} {
		_, err := telemetry.New(t.Context(), "s", "v", telemetry.Config{SampleRatio: ratio})
		require.ErrorContains(t, err, "not between 0 and 1")
	}
}
