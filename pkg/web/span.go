package web

import (
	"context"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// hidePath puts the route in the place of the path on the request's span. What
// clients write into paths is without bound, and now and then it is a key.
func hidePath(c *gin.Context) {
	if span := trace.SpanFromContext(c.Request.Context()); span.IsRecording() {
		span.SetAttributes(attribute.String("url.path", routeOf(c)))
	}
}

// routeOf is the template of the route that serves the request.
func routeOf(c *gin.Context) string {
	if route := c.FullPath(); route != "" {
		return route
	}
	return unmatched
}

// markSpan puts the cause of a 5xx on the request's span; the status is set by
// the tracing middleware.
func markSpan(ctx context.Context, rec *record) {
	span := trace.SpanFromContext(ctx)
	if rec.failure == nil || !span.IsRecording() {
		return
	}
	span.SetAttributes(attribute.String("request_id", rec.requestID))
	span.RecordError(rec.failure)
}
