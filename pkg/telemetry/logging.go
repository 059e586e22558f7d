package telemetry

import (
	"context"
	"io"
	"log/slog"
	"reflect"
	"slices"

	"go.opentelemetry.io/otel/trace"
)

// newLogger builds the logger of one instance: JSON lines to w, secrets scrubbed, values that are no data named by their type,
// span ids added.
func newLogger(w io.Writer, level slog.Leveler) *slog.Logger {
	lines := slog.NewJSONHandler(scrubbingWriter{next: w}, &slog.HandlerOptions{Level: level, ReplaceAttr: readable})
	return slog.New(&spanHandler{root: lines, current: lines})
}

// readable redacts an attribute, and replaces a function or a channel, which means nothing to a reader, by its type.
func readable(groups []string, attr slog.Attr) slog.Attr {
	attr = redact(groups, attr)
	if attr.Value.Kind() != slog.KindAny || attr.Value.Any() == nil {
		return attr
	}
	switch of := reflect.TypeOf(attr.Value.Any()); pointed(of).Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return slog.String(attr.Key, of.String())
	default:
		return attr
	}
}

func pointed(of reflect.Type) reflect.Type {
	for of.Kind() == reflect.Pointer {
		of = of.Elem()
	}
	return of
}

// spanHandler adds trace_id and span_id of the context's span at the top level of every line. A plain handler would put them
// inside the group of a logger, where log queries do not find them; therefore spanHandler records the steps from the root to
// the current handler and repeats them, but only for loggers with a group.
type spanHandler struct {
	root    slog.Handler
	current slog.Handler
	steps   []func(slog.Handler) slog.Handler
	grouped bool
}

// Enabled implements slog.Handler.
func (h *spanHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.current.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (h *spanHandler) Handle(ctx context.Context, record slog.Record) error {
	span := trace.SpanContextFromContext(ctx)
	if !span.IsValid() {
		return h.current.Handle(ctx, record)
	}
	ids := []slog.Attr{
		slog.String("trace_id", span.TraceID().String()),
		slog.String("span_id", span.SpanID().String()),
	}
	if !h.grouped {
		record = record.Clone()
		record.AddAttrs(ids...)
		return h.current.Handle(ctx, record)
	}
	handler := h.root.WithAttrs(ids)
	for _, step := range h.steps {
		handler = step(handler)
	}
	return handler.Handle(ctx, record)
}

// WithAttrs implements slog.Handler.
func (h *spanHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return h.with(func(next slog.Handler) slog.Handler { return next.WithAttrs(attrs) }, false)
}

// WithGroup implements slog.Handler.
func (h *spanHandler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	return h.with(func(next slog.Handler) slog.Handler { return next.WithGroup(name) }, true)
}

func (h *spanHandler) with(step func(slog.Handler) slog.Handler, group bool) *spanHandler {
	steps := slices.Concat(h.steps, []func(slog.Handler) slog.Handler{step})
	return &spanHandler{root: h.root, current: step(h.current), steps: steps, grouped: h.grouped || group}
}
