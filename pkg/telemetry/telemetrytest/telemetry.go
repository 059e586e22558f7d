package telemetrytest

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"
	"testing"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"sellerapi.dev/pkg/telemetry"
)

// Discard returns a Telemetry for a test that does not check it: log lines and spans are discarded.
func Discard(tb testing.TB) *telemetry.Telemetry {
	tb.Helper()
	return forTest(tb, telemetry.WithLogWriter(io.Discard))
}

// ForTest returns a Telemetry that writes its log lines, from DEBUG on, to the test's log.
func ForTest(tb testing.TB) *telemetry.Telemetry {
	tb.Helper()
	return forTest(tb, telemetry.WithLogWriter(newTestWriter(tb)))
}

// Recording returns a Telemetry as ForTest does, and the recorder that receives every finished span.
func Recording(tb testing.TB) (*telemetry.Telemetry, *tracetest.SpanRecorder) {
	tb.Helper()
	recorder := tracetest.NewSpanRecorder()
	return forTest(tb, telemetry.WithLogWriter(newTestWriter(tb)),
		telemetry.WithSpanProcessor(sdktrace.SpanProcessor(recorder))), recorder
}

func forTest(tb testing.TB, options ...telemetry.Option) *telemetry.Telemetry {
	tb.Helper()
	tel, err := telemetry.New(context.WithoutCancel(tb.Context()), "test", "test",
		telemetry.Config{LogLevel: slog.LevelDebug}, options...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = tel.Shutdown(context.WithoutCancel(tb.Context())) })
	return tel
}

// testWriter writes lines to a test's log until the test ends; a later line would make the test panic.
type testWriter struct {
	mu    sync.Mutex
	tb    testing.TB
	ended bool
}

func newTestWriter(tb testing.TB) *testWriter {
	tb.Helper()
	w := &testWriter{tb: tb}
	tb.Cleanup(func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.ended = true
	})
	return w
}

// Write implements io.Writer.
func (w *testWriter) Write(line []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if !w.ended {
		w.tb.Log(strings.TrimRight(string(line), "\n"))
	}
	return len(line), nil
}
