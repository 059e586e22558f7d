package telemetry_test

import (
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/attribute"

	"sellerapi.dev/pkg/telemetry"
)

// A span and a log line have the numbers under the same name; no more than fifty of them.
func TestNumbers_onSpanAndLogLine(t *testing.T) {
	t.Parallel()
	many := slices.Repeat([]string{"O-1"}, 10_000)
	first := many[:telemetry.NumbersMost]
	for name, c := range map[string]struct {
		numbers telemetry.Numbers
		span    []attribute.KeyValue
		line    []slog.Attr
	}{
		"none": {telemetry.Numbers{}, nil, nil},
		"one": {
			telemetry.Number(telemetry.OrderNo, "O-1"),
			[]attribute.KeyValue{attribute.String("order_no", "O-1")}, []slog.Attr{slog.String("order_no", "O-1")},
		},
		"two": {
			telemetry.Numbers{Name: telemetry.ClaimNo, Values: []string{"C-1", "C-2"}},
			[]attribute.KeyValue{attribute.StringSlice("claim_no", []string{"C-1", "C-2"})}, []slog.Attr{slog.String("claim_nos", "C-1,C-2")},
		},
		"many": {
			telemetry.Numbers{Name: telemetry.OrderNo, Values: many},
			[]attribute.KeyValue{attribute.StringSlice("order_no", first)}, []slog.Attr{slog.String("order_nos", strings.Join(first, ","))},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tel, spans := telemetry.Recording(t)
			ctx, span := tel.Tracer("test").Start(t.Context(), "call")
			c.numbers.Mark(ctx)
			span.End()
			require.Equal(t, c.span, spans.Ended()[0].Attributes())
			require.Equal(t, c.line, c.numbers.Append(nil))
		})
	}
}
