package telemetry

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

type exporterFunc struct {
	export func() error
	closed bool
}

// ExportSpans implements sdktrace.SpanExporter.
func (e *exporterFunc) ExportSpans(context.Context, []sdktrace.ReadOnlySpan) error { return e.export() }

// Shutdown implements sdktrace.SpanExporter.
func (e *exporterFunc) Shutdown(context.Context) error {
	e.closed = true
	return nil
}

// Lost spans are always counted and logged once a minute.
func TestExporter_lostSpansCountedAndLogged(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var logs bytes.Buffer
		tel, err := New(t.Context(), "test", "test", Config{}, WithLogWriter(io.Discard))
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, tel.Shutdown(context.WithoutCancel(t.Context()))) })
		next := &exporterFunc{export: func() error { return errors.New("no route to vpk_live_abcdefghCANARY") }}
		failures := tel.Counter(TraceExportFailures).WithLabelValues()
		e := &reportingExporter{next: next, logger: newLogger(&logs, nil), failures: failures}

		spans := make([]sdktrace.ReadOnlySpan, 3)
		for range 4 { // at 0 s, 20 s, 40 s, 60 s
			require.NoError(t, e.ExportSpans(t.Context(), spans))
			<-time.After(20 * time.Second)
		}
		require.InDelta(t, 12, testutil.ToFloat64(failures), 0)
		require.Equal(t, 2, strings.Count(logs.String(), "spans lost"))
		require.NotContains(t, logs.String(), "CANARY")

		next.export = func() error { return nil }
		require.NoError(t, e.ExportSpans(t.Context(), spans))
		require.InDelta(t, 12, testutil.ToFloat64(failures), 0)
		require.NoError(t, e.Shutdown(t.Context()))
		require.True(t, next.closed)
	})
}
