package telemetry_test

import (
	"context"
	"io"
	"net"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

func startCollector(t *testing.T) *telemetrytest.Collector {
	t.Helper()
	c, err := telemetrytest.Start(t.Context())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, c.Stop()) })
	return c
}

// Spans reach the collector with the name and version of the service.
func TestTracing_spansReachCollector(t *testing.T) {
	t.Parallel()
	for _, scheme := range []string{"http://", ""} {
		c := startCollector(t)
		tel, err := telemetry.New(t.Context(), "claims", "2.0.0", telemetry.Config{Endpoint: scheme + c.Address(), SampleRatio: 1},
			telemetry.WithLogWriter(io.Discard))
		require.NoError(t, err)
		ctx, outer := tel.Tracer("test").Start(t.Context(), "outer", trace.WithSpanKind(trace.SpanKindServer))
		_, inner := tel.Tracer("test").Start(ctx, "inner", trace.WithAttributes(attribute.String("step", "reship"),
			attribute.Int("try", 2)))
		inner.SetStatus(codes.Error, "no")
		inner.End()
		outer.End()
		require.NoError(t, tel.Shutdown(t.Context()))

		got := c.Trace(outer.SpanContext().TraceID().String())
		require.Len(t, got, 2)
		require.Equal(t, got, telemetrytest.Trace(c.Spans()))
		top, ok := got.Below("", telemetrytest.Step{Service: "claims", Kind: telemetrytest.Server, Name: "outer"})
		require.True(t, ok)
		require.Equal(t, "2.0.0", top.Version)
		below, ok := got.Below("", telemetrytest.Step{Name: "outer"}, telemetrytest.Step{Kind: telemetrytest.Internal, Name: "inner"})
		require.True(t, ok)
		require.Equal(t, top.ID, below.ParentID)
		require.True(t, below.Failed)
		require.Equal(t, "reship", below.Attributes["step"])
		require.Regexp(t, `^claims +server +outer .*\n  claims +internal inner .*FAILED\n$`, got.String())
		require.Contains(t, c.String(), "reship")
	}
}

// A collector that accepts connections and never responds is the worst case: whatever waits for it waits long.
func TestTracing_silentCollectorDelaysNothing(t *testing.T) {
	t.Parallel()
	port, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	t.Cleanup(func() { _ = port.Close() })
	tel, err := telemetry.New(t.Context(), "claims", "2", telemetry.Config{Endpoint: port.Addr().String(), SampleRatio: 1},
		telemetry.WithLogWriter(io.Discard))
	require.NoError(t, err)

	start := time.Now()
	for range 20_000 { // more than the queue holds
		_, span := tel.Tracer("test").Start(t.Context(), "work")
		span.End()
	}
	// If the queue waited, each of its batches of 512 would take the ten seconds that an export may last.
	require.Less(t, time.Since(start), time.Minute, "ending a span waited for the collector")

	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, tel.Shutdown(ctx), context.DeadlineExceeded)
}

// The caller's sampling decision takes precedence over the configured ratio.
func TestTracing_callersSamplingDecisionWins(t *testing.T) {
	t.Parallel()
	c := startCollector(t)
	for _, row := range []struct {
		ratio  float64
		header string
		want   bool
	}{
		{0, "", false},
		{1, "", true},
		{0, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", true},
		{1, "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-00", false},
	} {
		tel, err := telemetry.New(t.Context(), "s", "v", telemetry.Config{Endpoint: c.Address(), SampleRatio: row.ratio},
			telemetry.WithLogWriter(io.Discard))
		require.NoError(t, err)
		header := http.Header{}
		if row.header != "" {
			header.Set("Traceparent", row.header)
		}
		ctx := tel.Propagator.Extract(t.Context(), propagation.HeaderCarrier(header))
		_, span := tel.Tracer("test").Start(ctx, "work")
		require.Equal(t, row.want, span.IsRecording(), "%+v", row)
		span.End()
		require.NoError(t, tel.Shutdown(t.Context()))
	}
}

func TestTracing_noEndpointPropagatesIDs(t *testing.T) {
	t.Parallel()
	tel := telemetrytest.Discard(t)
	ctx, span := tel.Tracer("test").Start(t.Context(), "work")
	defer span.End()
	require.False(t, span.IsRecording())
	header := http.Header{}
	tel.Propagator.Inject(ctx, propagation.HeaderCarrier(header))
	require.Contains(t, header.Get("Traceparent"), trace.SpanContextFromContext(ctx).TraceID().String())
}

// A sample ratio that is not between 0 and 1 is refused.
func TestTracing_ratioOutOfRange(t *testing.T) {
	t.Parallel()
	for _, ratio := range []float64{-0.1, 1.1} {
		_, err := telemetry.New(t.Context(), "s", "v", telemetry.Config{SampleRatio: ratio})
		require.ErrorContains(t, err, "not between 0 and 1")
	}
}
