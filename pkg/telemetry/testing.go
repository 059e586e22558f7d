package telemetry

import (
	"context"
	"io"
	"log/slog"
	"strings"
	"sync"

	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	sdktrace "go.opentelemetry.io/otel/sdk/trace"
)

// TB is the part of testing.TB that the test helpers need; it keeps package testing out of the services.
type TB interface {
	Helper()
	Cleanup(func())
	Log(args ...any)
	Fatal(args ...any)
}

// Discard returns a Telemetry for a test that does not check it: log lines and spans are discarded.
func Discard(t TB) *Telemetry {
	t.Helper()
	return forTest(t, WithLogWriter(io.Discard))
}

// ForTest returns a Telemetry that writes its log lines, from DEBUG on, to the test's log.
func ForTest(t TB) *Telemetry {
	t.Helper()
	return forTest(t, WithLogWriter(newTestWriter(t)))
}

// Recording returns a Telemetry as ForTest does, and the recorder that receives every finished span.
func Recording(t TB) (*Telemetry, *tracetest.SpanRecorder) {
	t.Helper()
	recorder := tracetest.NewSpanRecorder()
	return forTest(t, WithLogWriter(newTestWriter(t)), WithSpanProcessor(sdktrace.SpanProcessor(recorder))), recorder
}

// forTest builds a Telemetry and shuts it down at the end of the test.
func forTest(t TB, options ...Option) *Telemetry {
	t.Helper()
	tel, err := New(context.Background(), "test", "test", Config{LogLevel: slog.LevelDebug}, options...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = tel.Shutdown(context.Background()) })
	return tel
}

// testWriter writes lines to a test's log until the test ends; a later line would make the test panic.
type testWriter struct {
	mu    sync.Mutex
	t     TB
	ended bool
}

// newTestWriter returns a writer that discards lines after the end of the test.
func newTestWriter(t TB) *testWriter {
	w := &testWriter{t: t}
	t.Cleanup(func() {
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
		w.t.Log(strings.TrimRight(string(line), "\n"))
	}
	return len(line), nil
}
