package web

import (
	"context"
	"net"

	"github.com/gin-gonic/gin"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/propagation"
	semconv "go.opentelemetry.io/otel/semconv/v1.43.0"
	"go.opentelemetry.io/otel/trace"
)

// tracing starts the spans of requests. Attributes are set only on sampled spans; all others have only ids. otelgin is not
// used, because it computes attributes for the tracer and a meter for every request, sampled or not, which takes 6 % of the CPU
// time of a read at the gateway.
type tracing struct {
	service    string
	tracer     trace.Tracer
	propagator propagation.TextMapPropagator
}

func newTracing(options Options) tracing {
	return tracing{
		service: options.Service, tracer: options.Telemetry.Tracer("sellerapi.dev/pkg/web"), propagator: options.propagator(),
	}
}

var serverSpan = []trace.SpanStartOption{trace.WithSpanKind(trace.SpanKindServer)}

func (t *tracing) start(c *gin.Context) (context.Context, trace.Span) {
	ctx := t.propagator.Extract(c.Request.Context(), propagation.HeaderCarrier(c.Request.Header))
	ctx, span := t.tracer.Start(ctx, spanName(c), serverSpan...)
	if span.IsRecording() {
		span.SetAttributes(t.describe(c)...)
	}
	return ctx, span
}

func spanName(c *gin.Context) string {
	if route := c.FullPath(); route != "" {
		return c.Request.Method + " " + route
	}
	return "HTTP " + knownMethod(c.Request.Method) + " route not found"
}

// describe returns the attributes of a request at its start. It has the route instead of the path, because paths are unbounded
// and sometimes contain a key.
func (t *tracing) describe(c *gin.Context) []attribute.KeyValue {
	scheme := "http"
	if c.Request.TLS != nil {
		scheme = "https"
	}
	peer, _, _ := net.SplitHostPort(c.Request.RemoteAddr) // empty without a port
	return []attribute.KeyValue{
		semconv.ServerAddress(t.service),
		semconv.HTTPRequestMethodKey.String(knownMethod(c.Request.Method)),
		semconv.URLScheme(scheme),
		semconv.URLPath(routeOf(c)),
		semconv.HTTPRoute(c.FullPath()),
		semconv.NetworkPeerAddress(peer),
		semconv.ClientAddress(c.ClientIP()),
		semconv.UserAgentOriginal(c.Request.UserAgent()),
	}
}

// finish puts on the span the status, the id by which a client asks for it, what the path names, and the cause of a 5xx.
func finish(ctx context.Context, rec *record, size int) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() {
		return
	}
	rec.Numbers.Mark(ctx)
	span.SetAttributes(semconv.HTTPResponseStatusCode(rec.Status), semconv.HTTPResponseBodySize(size),
		attribute.String("request_id", rec.RequestID))
	if rec.Status < 500 {
		return
	}
	span.SetStatus(codes.Error, "")
	if rec.Failure != nil {
		span.RecordError(rec.Failure)
	}
}

func routeOf(c *gin.Context) string {
	if route := c.FullPath(); route != "" {
		return route
	}
	return unmatched
}
