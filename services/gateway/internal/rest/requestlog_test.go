package rest_test

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/redis/redistest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/admission"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/ownertest"
	"sellerapi.dev/services/gateway/internal/ratelimit"
	"sellerapi.dev/services/gateway/internal/requestlog"
)

// logged writes the request log and returns the calls of the seller, first one first. A call is logged after its answer was sent.
func (b *fixture) logged(t *testing.T, calls int) []requestlog.Entry {
	t.Helper()
	var rows []requestlog.Entry
	require.Eventually(t, func() bool {
		if b.requests.Flush(t.Context()) != nil {
			return false
		}
		page, err := b.kept.ListRequests(t.Context(), b.seller, requestlog.Filter{}, nil, 1000)
		rows = page.Rows
		return err == nil && len(rows) >= calls
	}, waitFor, 20*tick)
	require.Len(t, rows, calls)
	ordered := make([]requestlog.Entry, 0, calls)
	for i := range rows {
		ordered = append(ordered, rows[calls-1-i])
	}
	return ordered
}

// Each call of a known key is logged with what it was answered, refused ones and those of ended keys too; those of unknown keys
// are not. The calls are those that were answered, and each has the trace that the access log prints, though none is recorded.
func TestRequestLog_calls(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: filled(ratelimit.Config{Read: 4, Process: 10, Rows: 3000, Timeout: waitFor})},
		http.HandlerFunc(rows))
	key, text := b.key(t)
	blind, blindText := b.key(t, "qna:read")
	ended, endedText := b.key(t)
	_, err := b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: ended.ID, Author: kim})
	require.NoError(t, err)
	want := []struct {
		sent                                       call
		key                                        apikey.Key
		status, rows                               int
		operation, record, query, code, data, idem string
	}{
		{
			sent: reading(text, "/open/v1/orders?limit=50&rows=30"), key: key, status: 200, rows: 30, operation: "list_orders",
			query: "limit=50&…",
		},
		{
			sent: reading(text, "/open/v1/orders/O-20260301-1001?rows=1"), key: key, status: 200, rows: 1, operation: "get_order",
			record: "O-20260301-1001", query: "…",
		},
		{
			sent: reading(text, "/open/v1/claims/C20260305-001001?status=404"), key: key, status: 404, operation: "get_claim",
			record: "C20260305-001001",
			query:  "status=…",
		},
		{
			sent: reading(text, "/open/v1/orders/1001?rows=1"), key: key, status: 200, rows: 1, operation: "get_order",
			record: "1001", query: "…",
		},
		{
			sent: reading(text, "/open/v1/orders/O-20260301-1002"), key: key, status: 429, operation: "get_order",
			record: "O-20260301-1002",
			code:   "RATE_LIMITED", data: `"limit": "read"`,
		},
		{
			sent: reading(blindText, "/open/v1/orders"), key: blind, status: 403, operation: "list_orders", code: "SCOPE_FORBIDDEN",
			data: `{"required_scope": "orders:read"}`,
		},
		{sent: reading(endedText, "/open/v1/qna"), key: ended, status: 401, operation: "list_inquiries", code: "INVALID_API_KEY"},
		{
			sent: posting(text, "", prepare("O-20260301-1003"), "{}"), key: key, status: 422, operation: "prepare_order",
			record: "O-20260301-1003",
			code:   "IDEMPOTENCY_KEY_REQUIRED",
		},
		{sent: reading("vpk_test_nobody", "/open/v1/orders"), status: 401},
	}
	answers := map[string]answer{}
	for n, test := range want {
		id := fmt.Sprintf("call-%d", n)
		test.sent.header.Set("X-Request-Id", id)
		test.sent.header.Set("User-Agent", "ERP/1.0")
		answers[id] = b.send(t, test.sent)
		require.Equal(t, test.status, answers[id].status, id)
	}
	entries := b.logged(t, len(want)-1)
	for n, got := range entries {
		test := want[n]
		require.Equal(t, fmt.Sprintf("call-%d", n), got.RequestID)
		require.Equal(t, test.key.ID, got.KeyID, got.RequestID)
		require.Equal(t, test.key.Prefix, got.KeyPrefix, got.RequestID)
		require.Equal(t, []any{test.status, test.rows, test.operation, test.record, test.query, test.code, test.idem},
			[]any{got.Status, got.Rows, got.Operation, got.Record, got.Query, got.Code, string(got.Idempotency)}, got.RequestID)
		require.Contains(t, string(got.Data), test.data, got.RequestID)
		require.Positive(t, got.Took, got.RequestID)
		require.True(t, got.Client.IsLoopback())
		require.Equal(t, "ERP/1.0", got.UserAgent)
		require.WithinDuration(t, time.Now(), got.At, waitFor)
		require.Equal(t, b.accessLogTrace(t, got.RequestID), hex.EncodeToString(got.TraceID), got.RequestID)
	}
	require.InDelta(t, len(want)-1, b.total(telemetry.RequestLogCalls, "written"), 0)
}

// accessLogTrace returns the trace of a call in the access log.
func (b *fixture) accessLogTrace(t *testing.T, requestID string) string {
	t.Helper()
	for line := range strings.Lines(b.log.String()) {
		var call struct {
			Message   string `json:"msg"`
			RequestID string `json:"request_id"`
			TraceID   string `json:"trace_id"`
		}
		require.NoError(t, json.Unmarshal([]byte(line), &call))
		if call.Message == "request" && call.RequestID == requestID {
			return call.TraceID
		}
	}
	require.Fail(t, "the access log has no such call", requestID)
	return ""
}

// Of a process call the log says what it met with its idempotency key, and the code with which a service refused it.
func TestRequestLog_idempotency(t *testing.T) {
	t.Parallel()
	b, _ := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	_, text := b.key(t)
	b.post(t, text, "a", prepare(ownertest.Success), "{}")
	b.post(t, text, "a", prepare(ownertest.Success), "{}")
	b.flush(t)
	b.post(t, text, "a", prepare(ownertest.Success), "{}")
	b.post(t, text, "a", prepare("other"), "{}")
	b.flush(t)
	b.post(t, text, "a", prepare("other"), "{}")
	b.post(t, text, "b", prepare(ownertest.Refusing(apierr.OrderItemNotPreparable)), "{}")
	b.post(t, text, "b", prepare(ownertest.Refusing(apierr.OrderItemNotPreparable)), "{}")
	b.post(t, text, "c", prepare(ownertest.Success), `{"wrong":"Kim Yuna"}`)
	got := make([]string, 0, 8)
	for _, entry := range b.logged(t, 8) {
		got = append(got, fmt.Sprintf("%s %d %s %s", entry.Idempotency, entry.Status, entry.Code, entry.Data))
		require.Len(t, entry.KeyDigest, 8)
	}
	require.Equal(t, []string{
		"first 200  ", "replayed 200  ", "replayed 200  ", "reused 409 IDEMPOTENCY_KEY_REUSED ", "reused 409 IDEMPOTENCY_KEY_REUSED ",
		"first 409 ORDER_ITEM_NOT_PREPARABLE ", "replayed 409 ORDER_ITEM_NOT_PREPARABLE ",
		`first 422 VALIDATION_ERROR {"errors": [{"code": "too_long", "field": "wrong"}]}`,
	}, got)
}

// Two calls with one key: the second is logged as in progress.
func TestRequestLog_inProgress(t *testing.T) {
	t.Parallel()
	arrived, goOn := make(chan struct{}), make(chan struct{})
	b, _ := owned(t, setting{limits: plenty}, inbox.Config{}, func(point ownertest.Point, name string) {
		if point == ownertest.BeforeCommit && name == "slow" {
			close(arrived)
			<-goOn
		}
	})
	_, text := b.key(t)
	done := make(chan error, 1)
	go func() { _, err := b.try(t.Context(), posting(text, "a", prepare("slow"), "{}")); done <- err }()
	<-arrived
	require.Equal(t, http.StatusConflict, b.post(t, text, "a", prepare("slow"), "{}").status)
	close(goOn)
	require.NoError(t, <-done)
	entries := b.logged(t, 2)
	require.Equal(t, []requestlog.Idempotency{requestlog.First, requestlog.InProgress},
		[]requestlog.Idempotency{entries[0].Idempotency, entries[1].Idempotency})
}

// A key whose answer has expired is gone, whether the service says so or Redis remembers it.
func TestRequestLog_gone(t *testing.T) {
	t.Parallel()
	b, _ := owned(t, setting{limits: plenty}, inbox.Config{Retention: 1500 * time.Millisecond}, nil)
	_, text := b.key(t)
	calls := 0
	send := func() int { calls++; return b.post(t, text, "a", prepare(ownertest.Success), "{}").status }
	require.Equal(t, http.StatusOK, send())
	require.Eventually(t, func() bool { return send() == http.StatusGone }, waitFor, 20*tick)
	require.Equal(t, http.StatusGone, send())
	b.flush(t)
	require.Equal(t, http.StatusGone, send())
	for n, entry := range b.logged(t, calls) {
		want := requestlog.Replayed
		switch {
		case n == 0:
			want = requestlog.First
		case n >= calls-3:
			want = requestlog.Gone
		}
		require.Equal(t, want, entry.Idempotency, n)
	}
}

// No body, key, header or personal datum of a call is in the log, in whatever letters it comes.
func TestRequestLog_noPersonalData(t *testing.T) {
	t.Parallel()
	for _, canary := range []string{"Kim-Yuna", "kim-yuna", "kim_yuna", "kimyuna", "01012345678"} {
		t.Run(canary, func(t *testing.T) {
			t.Parallel()
			requireNotLogged(t, canary, "/open/v1/orders/O-20260301-1001/shipment", http.StatusConflict, "ORDER_ITEM_NOT_SHIPPABLE")
		})
	}
	path := "/open/v1/orders/kim-yuna/shipment" // of an order that was not looked up
	for name, code := range map[string]string{"in progress": "IDEMPOTENCY_IN_PROGRESS", "reused": "IDEMPOTENCY_KEY_REUSED"} {
		t.Run(name, func(t *testing.T) { t.Parallel(); requireNotLogged(t, "kim-yuna", path, http.StatusConflict, code) })
	}
	t.Run("service away", func(t *testing.T) {
		t.Parallel()
		requireNotLogged(t, "kim-yuna", path, http.StatusServiceUnavailable, "")
	})
}

func requireNotLogged(t *testing.T, canary, path string, status int, code string) {
	t.Helper()
	b := begin(t, setting{limits: plenty}, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = fmt.Fprintf(w, `{"meta":{"code":%[2]d,"message":%[1]q,"error_code":%[3]q,"error_data":{
			"receiver":%[1]q,"content_type":%[1]q,"items":[{"item_id":%[1]q,"tracking_no":%[1]q}],
			"errors":[{"field":%[1]q,"code":"unknown"},{"field":"query.%[1]s","code":"duplicate"}]}},"data":{"name":%[1]q}}`, canary, status, code)
	}))
	_, text := b.key(t)
	header := func(sent call) call {
		sent.header.Set("Authorization", canary)
		sent.header.Set("Referer", canary)
		return sent
	}
	b.send(t, header(reading(text, "/open/v1/orders?order_no="+canary+"&"+canary+"=1&status="+canary+"&order_status="+canary)))
	b.send(t, header(reading(text, "/open/v1/orders?limit="+canary+"&after="+canary+"&wait="+canary+"&ship_by_lte="+canary)))
	b.send(t, header(reading(text, "/open/v1/orders?cursor="+canary+"&updated_at_gte="+canary+"&item_status=paid,"+canary)))
	b.send(t, header(reading(text, "/open/v1/qna?receiver="+canary)))
	b.send(t, header(posting(text, canary, path, `{"receiver":"`+canary+`"}`)))
	b.logged(t, 5)
	var whole string
	require.NoError(t, b.db.Pool.QueryRow(t.Context(), "select string_agg(r::text, ' ') from requests r").Scan(&whole))
	require.NotContains(t, whole, text[apikey.PrefixChars:])
	require.NotContains(t, whole, canary)
}

// With Redis away calls are logged as they are answered. While PostgreSQL does not take the log they are answered as before, and
// logged later, once.
func TestRequestLog_dependencyAway(t *testing.T) {
	t.Parallel()
	limits := plenty
	limits.Timeout = 0 // the default
	b := begin(t, setting{limits: filled(limits), redis: redistest.Own(t, admission.Scripts()...)}, http.HandlerFunc(rows))
	_, text := b.key(t)
	require.Equal(t, 200, b.eventually(t, reading(text, "/open/v1/orders?rows=1")).status)
	counted := func() int {
		return int(b.total(telemetry.LimitDecisions, "read", "admitted") + b.total(telemetry.LimitDecisions, "read", "unavailable"))
	}
	b.logged(t, counted())
	before := b.total(telemetry.RequestLogCalls, "written")
	tx, err := b.db.Pool.Begin(t.Context())
	require.NoError(t, err)
	defer func() { _ = tx.Rollback(t.Context()) }()
	_, err = tx.Exec(t.Context(), "lock table requests in access exclusive mode")
	require.NoError(t, err)
	require.Equal(t, 200, b.eventually(t, reading(text, "/open/v1/orders?rows=1")).status)
	require.Eventually(t, func() bool {
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		return b.requests.Flush(ctx) != nil
	}, waitFor, tick)
	require.InDelta(t, before, b.total(telemetry.RequestLogCalls, "written"), 0)
	require.NoError(t, tx.Rollback(t.Context()))
	require.NoError(t, b.redis.Process.Kill())
	unavailable(t, b.send(t, reading(text, "/open/v1/orders")))
	entries := b.logged(t, counted())
	last := entries[len(entries)-1]
	require.Equal(t, "503 RATE_LIMIT_UNAVAILABLE", fmt.Sprint(last.Status, " ", last.Code))
	require.InDelta(t, len(entries), b.total(telemetry.RequestLogCalls, "written"), 0)
	require.Zero(t, b.total(telemetry.RequestLogCalls, "lost"))
}
