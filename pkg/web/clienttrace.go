package web

import (
	"context"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/propagation"
	"go.opentelemetry.io/otel/trace"
)

// A client that nobody trusts must neither have its requests recorded, nor keep them from being recorded, nor write into a trace that is
// not its own. Its traceparent is therefore not the parent of the request's span: it is linked to, and noted in the log line.

// noPropagation takes nothing over from a request.
var noPropagation = propagation.NewCompositeTextMapPropagator()

// linkClientTrace links the request's span to the span that the client names, and notes its trace.
func linkClientTrace(c *gin.Context) {
	ctx := propagation.TraceContext{}.Extract(context.Background(), propagation.HeaderCarrier(c.Request.Header))
	client := trace.SpanContextFromContext(ctx)
	if !client.IsValid() {
		return
	}
	trace.SpanFromContext(c.Request.Context()).AddLink(trace.Link{SpanContext: client})
	recordOf(c.Request).clientTrace = client.TraceID().String()
}
