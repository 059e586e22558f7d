package rpc

import (
	"context"
	"log/slog"
	"time"

	"connectrpc.com/connect"
	"go.opentelemetry.io/otel/trace"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/telemetry"
)

// Labels of calls that have no procedure or no error.
const (
	procedureUnknown = "unknown"
	codeOK           = "ok"
)

// call is the record of one request to the server: filled during processing, logged and counted once at the end.
type call struct {
	start     time.Time
	span      trace.SpanContext // of the handler's span, for the log line
	procedure string
	caller    string
	token     string // its id, by which it can be revoked
	requestID string // of the history of what the call changes; empty before the caller is known
	code      string
	row       *apierr.Error
	numbers   []telemetry.Numbers // of the message
	notes     telemetry.Notes

	recorders []Recorder
	refused   *connect.Error // set until the recorders were called
}

type callKey struct{}

// callFrom returns the call that ServeHTTP put into the context; outside of ServeHTTP, a spare one that is never read.
func callFrom(ctx context.Context) *call {
	if c, ok := ctx.Value(callKey{}).(*call); ok {
		return c
	}
	return &call{}
}

func (c *call) finish(ctx context.Context, tel *telemetry.Telemetry) {
	elapsed := time.Since(c.start)
	errorCode := ""
	if c.row != nil {
		errorCode = string(c.row.Code)
	}
	tel.Counter(telemetry.RPCServerRequests).WithLabelValues(c.procedure, c.code, errorCode).Inc()
	tel.Histogram(telemetry.RPCServerDuration).WithLabelValues(c.procedure).Observe(elapsed.Seconds())

	attrs := []slog.Attr{
		slog.String("procedure", c.procedure), slog.String("caller", c.caller), slog.String("token_id", c.token),
		slog.String("code", c.code), slog.Float64("duration_ms", float64(elapsed.Microseconds())/1000),
	}
	if c.requestID != "" {
		attrs = append(attrs, slog.String("request_id", c.requestID))
	}
	if errorCode != "" {
		attrs = append(attrs, slog.String("error_code", errorCode))
	}
	if c.row != nil && c.row.Cause != nil {
		attrs = append(attrs, slog.String("error", c.row.Cause.Error()))
	}
	for _, numbers := range c.numbers {
		attrs = numbers.Append(attrs)
	}
	attrs = c.notes.Append(attrs, c.numbers...)
	tel.Logger.LogAttrs(trace.ContextWithSpanContext(ctx, c.span), c.level(), "call", attrs...)
}

// level returns the log level, ERROR for failures that need attention.
func (c *call) level() slog.Level {
	if c.code == connect.CodeInternal.String() || c.code == connect.CodeUnknown.String() {
		return slog.LevelError
	}
	return slog.LevelInfo
}
