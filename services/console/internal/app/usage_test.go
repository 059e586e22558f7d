package app

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	gatewayv1 "sellerapi.dev/proto/gen/gateway/v1"
	"sellerapi.dev/services/console/internal/pages"
)

func counted(
	hour time.Time, operation string, status int32, code string, calls int64, p95 time.Duration,
) *gatewayv1.RequestCount {
	return &gatewayv1.RequestCount{
		Hour: timestamppb.New(hour), Operation: operation, Status: status, ErrorCode: code, Calls: calls, Rows: 10 * calls,
		P50: durationpb.New(p95 / 2), P95: durationpb.New(p95),
	}
}

// Every call is in the sums of its operation, and in the step of its hour if that is drawn; steps without calls are there.
// Percentiles are the greatest ones, of successes only. Refusals are in the order of their number.
func TestSummarize(t *testing.T) {
	t.Parallel()
	from := time.Date(2026, 3, 1, 10, 30, 0, 0, time.UTC)
	hour := from.Truncate(time.Hour)
	const ms = time.Millisecond
	got := summarize([]*gatewayv1.RequestCount{
		counted(hour, "ship_order", 200, "", 1, 20*ms), counted(hour, "ship_order", 409, "A", 2, 900*ms),
		counted(hour.Add(2*time.Hour), "ship_order", 200, "", 4, 40*ms), counted(hour, "list_orders", 503, "", 8, 800*ms),
		counted(hour.Add(2*time.Hour), "list_orders", 409, "A", 16, ms),
		counted(hour.Add(-time.Hour), "list_orders", 429, "B", 18, ms),
	}, from, from.Add(2*time.Hour), time.Hour)
	require.Equal(t, pages.Usage{
		Steps: []pages.UsageStep{
			{At: hour, Succeeded: 1, Refused: 2, Failed: 8, Rows: 110},
			{At: hour.Add(time.Hour)},
			{At: hour.Add(2 * time.Hour), Succeeded: 4, Refused: 16, Rows: 200},
		},
		Operations: []pages.UsageOperation{
			{Operation: "list_orders", Refused: 34, Failed: 8, Rows: 420},
			{Operation: "ship_order", Succeeded: 5, Refused: 2, Rows: 70, P50: 20 * ms, P95: 40 * ms},
		},
		Refusals: []pages.UsageRefusal{
			{Status: 409, Code: "A", Calls: 18}, {Status: 429, Code: "B", Calls: 18}, {Status: 503, Calls: 8},
		},
	}, got)
}

// Each refusal that a marketplace's staff ask about is under its point; what is no mistake of the seller's systems is under none.
func TestJudge(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		status int32
		code   string
		want   pages.GoLive
	}{
		"success":       {200, "", pages.GoLive{}},
		"limit":         {429, "RATE_LIMITED", pages.GoLive{Limited: 3}},
		"key":           {401, "INVALID_API_KEY", pages.GoLive{Denied: 3}},
		"scope":         {403, "SCOPE_FORBIDDEN", pages.GoLive{Denied: 3}},
		"malformed":     {422, "VALIDATION_ERROR", pages.GoLive{Invalid: 3}},
		"reused key":    {409, "IDEMPOTENCY_KEY_REUSED", pages.GoLive{Reused: 3}},
		"state":         {409, "ORDER_ITEM_NOT_SHIPPABLE", pages.GoLive{}},
		"not available": {503, "", pages.GoLive{}},
	} {
		var got pages.GoLive
		judge(&got, counted(time.Now(), "ship_order", test.status, test.code, 3, 0))
		require.Equal(t, test.want, got, name)
	}
}
