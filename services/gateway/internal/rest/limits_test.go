package rest_test

import (
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/services/gateway/internal/ownertest"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

// left are the rate limit headers of a response; "-" for an absent one.
type left struct{ limit, remaining, rowsLimit, rowsRemaining string }

func leftIn(got answer) left {
	of := func(name string) string {
		if values := got.header.Values(name); len(values) == 1 {
			return values[0]
		}
		return "-"
	}
	return left{
		of(ratelimit.HeaderLimit), of(ratelimit.HeaderRemaining), of(ratelimit.HeaderRowsLimit), of(ratelimit.HeaderRowsRemaining),
	}
}

// resets asserts that the response states when the oldest call leaves the window, within the window's length.
func resets(t *testing.T, got answer, atLeast int) {
	t.Helper()
	seconds, err := strconv.Atoi(got.header.Get(ratelimit.HeaderReset))
	require.NoError(t, err)
	require.GreaterOrEqual(t, seconds, atLeast)
	require.LessOrEqual(t, seconds, 60)
}

// rows is a service whose lists have as many rows as the query says, and whose records are missing when it says nothing.
func rows(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	if n := r.URL.Query().Get("rows"); n != "" {
		w.Header().Set(principal.RowsHeader, n)
	} else {
		w.WriteHeader(http.StatusNotFound)
	}
	_, _ = w.Write([]byte(`{"meta":{}}`))
}

func reading(text, path string) call {
	return call{method: http.MethodGet, path: path, header: http.Header{"X-Api-Key": {text}}}
}

// Every authenticated response has the remaining limits.
func TestRateLimitHeaders_everyAnswer(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: published}, http.HandlerFunc(rows))
	_, text := b.key(t)
	_, blind := b.key(t, "qna:read")
	for name, test := range map[string]struct {
		sent   call
		status int
		want   left
	}{
		"read: 403 is not charged":         {reading(blind, "/open/v1/orders"), 403, left{"60", "60", "3000", "3000"}},
		"process call: 403 is not charged": {posting(blind, "k", prepare("O-1"), "{}"), 403, left{"30", "30", "-", "-"}},
	} {
		got := b.send(t, test.sent)
		require.Equal(t, test.status, got.status, name)
		require.Equal(t, test.want, leftIn(got), name)
		resets(t, got, 0)
	}
	got := b.send(t, reading(text, "/open/v1/orders?limit=10&rows=10"))
	require.Equal(t, http.StatusOK, got.status)
	require.Equal(t, left{"60", "59", "3000", "2990"}, leftIn(got))
	resets(t, got, 1)
	got = b.send(t, reading(text, "/open/v1/orders/O-1"))
	require.Equal(t, http.StatusNotFound, got.status, "the response of the service")
	require.Equal(t, left{"60", "58", "3000", "2990"}, leftIn(got))
	got = b.post(t, text, "key", prepare("O-1")+"?rows=1", "{}")
	require.Equal(t, http.StatusOK, got.status)
	require.Equal(t, left{"30", "29", "-", "-"}, leftIn(got), "rows are counted only for reads")
	got = b.post(t, text, "", prepare("O-1"), "{}")
	refused(t, got, http.StatusUnprocessableEntity, "IDEMPOTENCY_KEY_REQUIRED")
	require.Equal(t, left{"30", "28", "-", "-"}, leftIn(got))
}

func TestRateLimitHeaders_absentWithoutKey(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: published}, http.HandlerFunc(rows))
	_, text := b.key(t)
	for _, sent := range []call{
		reading("nobody", "/open/v1/orders"), reading(text, "/open/v1/nothing"),
		{method: "PUT", path: "/open/v1/orders"},
	} {
		require.Equal(t, left{"-", "-", "-", "-"}, leftIn(b.send(t, sent)))
	}
}

func TestReadLimit_429WithRetryAfter(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: published}, http.HandlerFunc(rows))
	_, text := b.key(t)
	for i := range 60 {
		got := b.send(t, reading(text, "/open/v1/orders?rows=1"))
		require.Equal(t, http.StatusOK, got.status)
		require.Equal(t, strconv.Itoa(59-i), leftIn(got).remaining)
	}
	b.admitter.Drain()
	for range 3 {
		got := b.send(t, reading(text, "/open/v1/orders?rows=1"))
		limited(t, got, "read", 60)
		require.Equal(t, left{"60", "0", "3000", "2940"}, leftIn(got), "refused calls are not counted")
	}
	got := b.post(t, text, "key", prepare("O-1")+"?rows=1", "{}")
	require.Equal(t, left{"30", "29", "-", "-"}, leftIn(got), "process calls have a separate window")
	_, other := b.key(t)
	got = b.send(t, reading(other, "/open/v1/orders?rows=1"))
	require.Equal(t, "59", leftIn(got).remaining, "every key of the seller has a separate window")
}

// limited asserts a RATE_LIMITED whose header and data agree.
func limited(t *testing.T, got answer, limit string, most int) {
	t.Helper()
	meta := refused(t, got, http.StatusTooManyRequests, "RATE_LIMITED")
	wait, err := strconv.Atoi(got.header.Get("Retry-After"))
	require.NoError(t, err)
	require.Positive(t, wait)
	require.LessOrEqual(t, wait, 60)
	delete(meta.ErrorData, "request_id")
	require.Equal(t, map[string]any{
		"limit": limit, "max": float64(most), "window_seconds": 60.0, "doc_url": "/docs/errors/RATE_LIMITED",
		"retry_after": float64(wait),
	}, meta.ErrorData)
	resets(t, got, 1)
}

func TestProcessLimit_429BeforeHeaderAndBody(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: published}, inbox.Config{}, nil)
	_, text := b.key(t)
	for i := range 30 {
		b.post(t, text, "key "+strconv.Itoa(i), prepare(ownertest.Success), "{}")
	}
	for _, key := range []string{"new", "", "key 1"} {
		limited(t, b.post(t, text, key, prepare(ownertest.Success), "{}"), "process", 30)
	}
	require.Equal(t, 30, o.effects(t))
	require.Len(t, o.Arrived(), 30)
}

// Replays are charged like any process call, and responses about a key in use once a second, so that they use up no limit.
func TestProcessLimit_chargesReplaysAndBusy(t *testing.T) {
	t.Parallel()
	reached, goOn := make(chan struct{}), make(chan struct{})
	b, _ := owned(t, setting{limits: published}, inbox.Config{}, func(point ownertest.Point, name string) {
		if point == ownertest.BeforeCommit && name == "slow" {
			close(reached)
			<-goOn
		}
	})
	_, text := b.key(t)
	first := make(chan answer, 1)
	go func() { got, _ := b.try(t.Context(), posting(text, "key", prepare("slow"), "{}")); first <- got }()
	<-reached
	began, left := time.Now(), 0
	for range 40 {
		busy := b.post(t, text, "key", prepare("slow"), "{}")
		refused(t, busy, http.StatusConflict, string(apierr.IdempotencyInProgress))
		require.Contains(t, busyWaits, busy.header.Get("Retry-After"))
		var err error
		left, err = strconv.Atoi(leftIn(busy).remaining)
		require.NoError(t, err)
		seconds := int(time.Since(began)/time.Second) + 2 // that these calls have touched
		require.LessOrEqual(t, left, 28)
		require.GreaterOrEqual(t, left, 29-seconds)
	}
	close(goOn)
	original := <-first
	replay := b.post(t, text, "key", prepare("slow"), "{}")
	replayed(t, original, replay)
	require.Equal(t, strconv.Itoa(left-1), leftIn(replay).remaining)
}

// Requests with invalid keys are charged to no seller.
func TestReadLimit_badKeysNotCharged(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: published}, http.HandlerFunc(rows))
	_, text := b.key(t)
	for range 100 {
		require.Equal(t, http.StatusUnauthorized, b.send(t, with(text, text)).status)
	}
	require.Equal(t, "59", leftIn(b.send(t, reading(text, "/open/v1/orders?rows=1"))).remaining)
}
