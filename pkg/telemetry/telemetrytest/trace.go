package telemetrytest

import (
	"fmt"
	"slices"
	"strings"
	"time"

	commonv1 "go.opentelemetry.io/proto/otlp/common/v1"
	tracev1 "go.opentelemetry.io/proto/otlp/trace/v1"
)

// Kind is the kind of a span.
type Kind string

// The kinds that services use.
const (
	Internal Kind = "internal"
	Server   Kind = "server"
	Client   Kind = "client"
	Producer Kind = "producer"
	Consumer Kind = "consumer"
)

var kinds = map[tracev1.Span_SpanKind]Kind{
	tracev1.Span_SPAN_KIND_INTERNAL: Internal, tracev1.Span_SPAN_KIND_SERVER: Server, tracev1.Span_SPAN_KIND_CLIENT: Client,
	tracev1.Span_SPAN_KIND_PRODUCER: Producer, tracev1.Span_SPAN_KIND_CONSUMER: Consumer,
}

// Span is one span. Ids are in hexadecimal digits.
type Span struct {
	TraceID, ID, ParentID string
	// Service is the name of the service that created the span, Version its version.
	Service, Version string
	Name             string
	Kind             Kind
	// Failed reports whether its status is an error.
	Failed     bool
	Start, End time.Time
	// Links are the traces of the spans that it links to.
	Links []string
	// Attributes are the span's own attributes, as text.
	Attributes map[string]string
}

func newSpan(resource map[string]string, span *tracev1.Span) Span {
	links := make([]string, len(span.GetLinks()))
	for i, link := range span.GetLinks() {
		links[i] = digits(link.GetTraceId())
	}
	return Span{
		Links:   links,
		TraceID: digits(span.GetTraceId()), ID: digits(span.GetSpanId()), ParentID: digits(span.GetParentSpanId()),
		Service: resource["service.name"], Version: resource["service.version"],
		Name: span.GetName(), Kind: kinds[span.GetKind()],
		Failed:     span.GetStatus().GetCode() == tracev1.Status_STATUS_CODE_ERROR,
		Start:      time.Unix(0, int64(span.GetStartTimeUnixNano())), //nolint:gosec // a time of this century
		End:        time.Unix(0, int64(span.GetEndTimeUnixNano())),   //nolint:gosec // a time of this century
		Attributes: texts(span.GetAttributes()),
	}
}

// texts returns attributes as text, strings without quotes.
func texts(attributes []*commonv1.KeyValue) map[string]string {
	all := make(map[string]string, len(attributes))
	for _, attribute := range attributes {
		value := attribute.GetValue()
		if text, ok := value.GetValue().(*commonv1.AnyValue_StringValue); ok {
			all[attribute.GetKey()] = text.StringValue
			continue
		}
		all[attribute.GetKey()] = value.String()
	}
	return all
}

// Trace is the spans of one trace, in no particular order.
type Trace []Span

// Children returns the child spans of the one with this id, in the order of their start.
func (t Trace) Children(id string) []Span {
	var below []Span
	for _, span := range t {
		if span.ParentID == id {
			below = append(below, span)
		}
	}
	slices.SortStableFunc(below, func(a, b Span) int { return a.Start.Compare(b.Start) })
	return below
}

// Step selects a span on a path down a trace. Empty fields match any span.
type Step struct {
	Service string
	Kind    Kind
	// Name is a prefix of the span's name.
	Name string
}

func (s Step) fits(span Span) bool {
	return (s.Service == "" || s.Service == span.Service) && (s.Kind == "" || s.Kind == span.Kind) &&
		strings.HasPrefix(span.Name, s.Name)
}

// Below follows a path down from the span with this id, each step a child of the one before, and returns its last span; ok is
// false when there is no such path (yet).
func (t Trace) Below(id string, way ...Step) (last Span, ok bool) {
	if len(way) == 0 {
		return Span{}, false
	}
	for _, span := range t.Children(id) {
		if !way[0].fits(span) {
			continue
		}
		if len(way) == 1 {
			return span, true
		}
		if last, ok := t.Below(span.ID, way[1:]...); ok {
			return last, true
		}
	}
	return Span{}, false
}

// String returns the trace as a tree. Spans whose parent was created elsewhere, or was not received, are roots.
func (t Trace) String() string {
	known := map[string]bool{}
	for _, span := range t {
		known[span.ID] = true
	}
	var roots []string
	for _, span := range t {
		if !known[span.ParentID] && !slices.Contains(roots, span.ParentID) {
			roots = append(roots, span.ParentID)
		}
	}
	var tree strings.Builder
	for _, root := range roots {
		t.draw(&tree, root, 0)
	}
	return tree.String()
}

func (t Trace) draw(tree *strings.Builder, id string, depth int) {
	for _, span := range t.Children(id) {
		failed := ""
		if span.Failed {
			failed = "  FAILED"
		}
		fmt.Fprintf(tree, "%s%-8s %-8s %s  %.1f ms%s\n", strings.Repeat("  ", depth), span.Service, span.Kind, span.Name,
			float64(span.End.Sub(span.Start).Microseconds())/1000, failed)
		t.draw(tree, span.ID, depth+1)
	}
}
