package telemetry_test

import (
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

// What a call turns out to be about is on its span and in its log line, once; the line's own numbers come first.
func TestNotes_ofCall(t *testing.T) {
	t.Parallel()
	tel, spans := telemetrytest.Recording(t)
	var notes telemetry.Notes
	ctx, span := tel.Tracer("test").Start(telemetry.CollectNotes(t.Context(), &notes), "call")
	for range 2 {
		telemetry.Number(telemetry.OrderNo, "O-1").Note(ctx)
		telemetry.Number(telemetry.ClaimNo, "C-2").Note(ctx)
	}
	telemetry.Numbers{}.Note(ctx)
	telemetry.Number(telemetry.QnaID, "Q").Mark(ctx)
	telemetry.Number(telemetry.QnaID, "Q").Note(t.Context())
	span.End()
	require.Subset(t, spans.Ended()[0].Attributes(), []attribute.KeyValue{
		attribute.String("order_no", "O-1"),
		attribute.String("claim_no", "C-2"),
	})
	require.Equal(t, []slog.Attr{slog.String("order_no", "O-1")}, notes.Append(nil, telemetry.Number(telemetry.ClaimNo, "C-1")))
	require.Equal(t, []slog.Attr{slog.String("order_no", "O-1"), slog.String("claim_no", "C-2")}, notes.Append(nil))
}

// A span and a log line have the numbers under the same name; no more than fifty of them.
func TestNumbers_onSpanAndLogLine(t *testing.T) {
	t.Parallel()
	many := slices.Repeat([]string{"O-1"}, 10_000)
	first := many[:telemetry.MaxNumbers]
	for name, c := range map[string]struct {
		numbers telemetry.Numbers
		span    []attribute.KeyValue
		line    []slog.Attr
	}{
		"none": {telemetry.Numbers{}, nil, nil},
		"one": {
			telemetry.Number(telemetry.OrderNo, "O-1"),
			[]attribute.KeyValue{attribute.String("order_no", "O-1")},
			[]slog.Attr{slog.String("order_no", "O-1")},
		},
		"two": {
			telemetry.Numbers{Name: telemetry.ClaimNo, Values: []string{"C-1", "C-2"}},
			[]attribute.KeyValue{attribute.StringSlice("claim_no", []string{"C-1", "C-2"})},
			[]slog.Attr{slog.String("claim_nos", "C-1,C-2")},
		},
		"many": {
			telemetry.Numbers{Name: telemetry.OrderNo, Values: many},
			[]attribute.KeyValue{attribute.StringSlice("order_no", first)},
			[]slog.Attr{slog.String("order_nos", strings.Join(first, ","))},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tel, spans := telemetrytest.Recording(t)
			ctx, span := tel.Tracer("test").Start(t.Context(), "call")
			c.numbers.Mark(ctx)
			span.End()
			require.Equal(t, c.span, spans.Ended()[0].Attributes())
			require.Equal(t, c.line, c.numbers.Append(nil))
		})
	}
}
