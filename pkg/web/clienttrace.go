package web

import (
	"context"
	"net/http"

	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// An untrusted client must neither have its requests recorded, nor keep them from being recorded, nor write into a trace that is
// not its own. Its traceparent is therefore not the parent of the request's span: it is linked to, and noted in the log line.

var noPropagation = propagation.NewCompositeTextMapPropagator()

// traceparent is the header of W3C trace context as net/http spells it.
const traceparent = "Traceparent"

// linkClientTrace links the request's span to the client's span, and records its trace for the log.
func linkClientTrace(r *http.Request, rec *record, span trace.Span) {
	if r.Header[traceparent] == nil {
		return
	}
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.HeaderCarrier(r.Header))
	client := trace.SpanContextFromContext(ctx)
	if !client.IsValid() {
		return
	}
	span.AddLink(trace.Link{SpanContext: client})
	rec.ClientTrace = client.TraceID().String()
}
