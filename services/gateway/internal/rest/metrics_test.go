package rest_test

import (
	"net/http"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/ownertest"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

func (b *fixture) total(metric telemetry.Metric, labels ...string) float64 {
	return testutil.ToFloat64(b.tel.Counter(metric).WithLabelValues(labels...))
}

// Decisions about limits are counted by their outcome.
func TestLimitMetrics_byOutcome(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: filled(ratelimit.Config{Read: 3, Process: 1, Rows: 150, Timeout: published.Timeout})},
		http.HandlerFunc(rows))
	_, text := b.key(t)
	for _, status := range []int{200, 200, 429} {
		require.Equal(t, status, b.send(t, reading(text, "/open/v1/orders?limit=100&rows=100")).status)
	}
	for _, status := range []int{200, 429} {
		require.Equal(t, status, b.post(t, text, "key", prepare("O-1")+"?rows=1", "{}").status)
	}
	for labels, want := range map[[2]string]float64{
		{"read", "admitted"}: 2, {"read", "refused_rows"}: 1, {"read", "refused_calls"}: 0,
		{"process", "admitted"}: 1, {"process", "refused_calls"}: 1,
	} {
		require.InDelta(t, want, b.total(telemetry.LimitDecisions, labels[0], labels[1]), 0, labels)
	}
}

// Calls and rows are counted for the seller that made them; a call with an invalid key
// counts for none.
func TestCallerMetrics_callsAndRowsOfSeller(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: filled(ratelimit.Config{Read: 2, Process: 1, Rows: 150, Timeout: published.Timeout})},
		http.HandlerFunc(rows))
	key, text := b.key(t)
	for _, status := range []int{200, 200, 429} {
		require.Equal(t, status, b.send(t, reading(text, "/open/v1/orders?limit=50&rows=30")).status)
	}
	require.Equal(t, 200, b.post(t, text, "key", prepare("O-1")+"?rows=1", "{}").status)
	require.Equal(t, 401, b.send(t, reading("vpk_test_nobody", "/open/v1/orders")).status)
	busiest, _ := b.callers.Busiest(5, time.Now())
	require.Len(t, busiest, 1)
	require.Equal(t, key.SellerID, busiest[0].Seller)
	require.InDelta(t, 15, busiest[0].RowsPerSecond/busiest[0].CallsPerSecond, 1e-9, "sixty rows and four calls")
}

func TestIdempotencyMetrics_outcomes(t *testing.T) {
	t.Parallel()
	b, _ := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	_, text := b.key(t)
	b.post(t, text, "a", prepare(ownertest.Success), "{}")
	b.post(t, text, "a", prepare(ownertest.Success), "{}")
	b.post(t, text, "a", prepare("other"), "{}")
	b.post(t, text, "b", prepare(ownertest.Refusing(apierr.ValidationError)), "{}")
	for range 3 {
		b.post(t, text, "c", prepare(ownertest.Big), "{}")
	}
	for outcome, want := range map[string]float64{
		"new": 3, "replayed": 3, "reused": 1, "stored": 2, "not_stored": 1, "late": 0, "busy": 0, "expired": 0,
	} {
		require.InDelta(t, want, b.total(telemetry.IdempotencyOutcomes, outcome), 0, outcome)
	}
}
