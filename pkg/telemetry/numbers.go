package telemetry

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// The names under which spans and log lines have the order, the claim or the inquiry that they are about. They are those of the
// public interface.
const (
	OrderNo = "order_no"
	ClaimNo = "claim_no"
	QnaID   = "qna_id"
)

// NumberNames returns all of the names.
func NumberNames() []string { return []string{OrderNo, ClaimNo, QnaID} }

// MaxNumbers is the maximum number of orders, claims or inquiries that one span or log line has.
const MaxNumbers = 50

// Numbers are the numbers of orders, claims or inquiries, or ids of inquiries. The zero value is none.
type Numbers struct {
	// Name is one of NumberNames.
	Name   string
	Values []string
}

// Number returns a single one.
func Number(name, value string) Numbers { return Numbers{Name: name, Values: []string{value}} }

func (n Numbers) shown() []string { return n.Values[:min(len(n.Values), MaxNumbers)] }

// Mark adds the numbers to the span of the context if that is recorded: a single one as a text, several as a list, in which a
// search for one of them finds the span as well.
func (n Numbers) Mark(ctx context.Context) {
	span := trace.SpanFromContext(ctx)
	if !span.IsRecording() || len(n.Values) == 0 {
		return
	}
	if len(n.Values) == 1 {
		span.SetAttributes(attribute.String(n.Name, n.Values[0]))
		return
	}
	span.SetAttributes(attribute.StringSlice(n.Name, n.shown()))
}

// Note is Mark for what a call turns out to be about, such as the order of a claim: the log line of the call has it as well, if
// its context came from CollectNotes.
func (n Numbers) Note(ctx context.Context) {
	n.Mark(ctx)
	if notes, ok := ctx.Value(notesKey{}).(*Notes); ok && len(n.Values) > 0 {
		notes.add(n)
	}
}

// Notes are the numbers that were noted during a call. They are safe for concurrent use.
type Notes struct {
	mu  sync.Mutex
	all []Numbers
}

type notesKey struct{}

// CollectNotes returns a context of which notes has what is noted.
func CollectNotes(ctx context.Context, notes *Notes) context.Context {
	return context.WithValue(ctx, notesKey{}, notes)
}

// add keeps the first numbers under each name: a transaction that is repeated notes them again.
func (n *Notes) add(numbers Numbers) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.ContainsFunc(n.all, func(known Numbers) bool { return known.Name == numbers.Name }) {
		n.all = append(n.all, numbers)
	}
}

// Append appends what was noted to the attributes of a log line, except under names that the line already has.
func (n *Notes) Append(attrs []slog.Attr, already ...Numbers) []slog.Attr {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, numbers := range n.all {
		if !slices.ContainsFunc(already, func(known Numbers) bool { return known.Name == numbers.Name }) {
			attrs = numbers.Append(attrs)
		}
	}
	return attrs
}

// StartPart starts a span for a part of the work of a recorded trace, which has numbers of its own, and returns the function
// that ends it. In a trace that is not recorded it does nothing.
func StartPart(ctx context.Context, name string) (part context.Context, end func()) {
	parent := trace.SpanFromContext(ctx)
	if !parent.IsRecording() {
		return ctx, func() {}
	}
	part, span := parent.TracerProvider().Tracer("sellerapi.dev/pkg/telemetry").Start(ctx, name)
	return part, func() { span.End() }
}

// Append appends the attribute of a log line: a single number under the name, several under its plural, separated by commas,
// because log stores do not search lists.
func (n Numbers) Append(attrs []slog.Attr) []slog.Attr {
	switch len(n.Values) {
	case 0:
		return attrs
	case 1:
		return append(attrs, slog.String(n.Name, n.Values[0]))
	default:
		return append(attrs, slog.String(n.Name+"s", strings.Join(n.shown(), ",")))
	}
}
