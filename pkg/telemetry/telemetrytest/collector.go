// Package telemetrytest has the telemetry of tests, and a collector for them, which receives spans over OTLP as a real one does
// and shows them as trees.
package telemetrytest

import (
	"context"
	"encoding/hex"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"

	collector "go.opentelemetry.io/proto/otlp/collector/trace/v1"
	tracev1 "go.opentelemetry.io/proto/otlp/trace/v1"
	"google.golang.org/grpc"
)

// Collector receives spans. It is safe for concurrent use.
type Collector struct {
	collector.UnimplementedTraceServiceServer

	address string
	server  *grpc.Server
	ended   chan error

	mu       sync.Mutex
	received []*tracev1.ResourceSpans
}

// Start serves a collector on a free loopback port until Stop.
func Start(ctx context.Context) (*Collector, error) {
	port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("listen for spans: %w", err)
	}
	c := &Collector{address: port.Addr().String(), server: grpc.NewServer(), ended: make(chan error, 1)}
	collector.RegisterTraceServiceServer(c.server, c)
	go func() { c.ended <- c.server.Serve(port) }()
	return c, nil
}

// Address returns the collector's host and port, as telemetry.Config takes it.
func (c *Collector) Address() string { return c.address }

// Stop stops the collector; later spans are lost.
func (c *Collector) Stop() error {
	c.server.Stop()
	return <-c.ended
}

// Export implements the collector's service.
func (c *Collector) Export(_ context.Context,
	request *collector.ExportTraceServiceRequest,
) (*collector.ExportTraceServiceResponse, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.received = append(c.received, request.GetResourceSpans()...)
	return &collector.ExportTraceServiceResponse{}, nil
}

// Trace returns the spans received so far of one trace. The id is in hexadecimal digits.
func (c *Collector) Trace(id string) Trace {
	var trace Trace
	for _, span := range c.Spans() {
		if span.TraceID == id {
			trace = append(trace, span)
		}
	}
	return trace
}

// Linked returns the spans of all traces with a span that links to the trace with this id.
func (c *Collector) Linked(id string) Trace {
	all := c.Spans()
	linked := map[string]bool{}
	for _, span := range all {
		if slices.Contains(span.Links, id) {
			linked[span.TraceID] = true
		}
	}
	return slices.DeleteFunc(all, func(span Span) bool { return !linked[span.TraceID] })
}

// Spans returns all spans received so far.
func (c *Collector) Spans() []Span {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []Span
	for _, resource := range c.received {
		attributes := texts(resource.GetResource().GetAttributes())
		for _, scope := range resource.GetScopeSpans() {
			for _, span := range scope.GetSpans() {
				all = append(all, newSpan(attributes, span))
			}
		}
	}
	return all
}

// String returns everything received so far with all attributes, to search for what must not be there.
func (c *Collector) String() string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all strings.Builder
	for _, resource := range c.received {
		all.WriteString(resource.String())
		all.WriteByte('\n')
	}
	return all.String()
}

func digits(id []byte) string { return hex.EncodeToString(id) }
