package telemetry

import (
	"context"

	"go.opentelemetry.io/otel/propagation"
)

// traceparent is the name of the W3C trace context header, and of its key in a carrier.
const traceparent = "traceparent"

// Traceparent returns the trace of ctx as text, to be stored with later work; empty when there is none.
func Traceparent(ctx context.Context) string {
	carrier := propagation.MapCarrier{}
	propagation.TraceContext{}.Inject(ctx, carrier)
	return carrier[traceparent]
}

// ContinueTrace returns ctx as part of the trace that Traceparent returned.
func ContinueTrace(ctx context.Context, text string) context.Context {
	return propagation.TraceContext{}.Extract(ctx, propagation.MapCarrier{traceparent: text})
}
