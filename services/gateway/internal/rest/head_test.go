package rest_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

type line struct {
	net.Conn
	answers *bufio.Reader
}

func (b *fixture) dial(t *testing.T) line {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(b.url, "http://"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	return line{conn, bufio.NewReader(conn)}
}

func (l line) say(t *testing.T, text string) {
	t.Helper()
	_, err := io.WriteString(l, text)
	require.NoError(t, err)
}

func (l line) hear(t *testing.T) answer {
	t.Helper()
	response, err := http.ReadResponse(l.answers, nil)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	header := response.Header
	if response.Close {
		header.Set("Connection", "close")
	}
	return answer{response.StatusCode, header, response.ContentLength, content}
}

func head(path, text, key string, size int) string {
	return fmt.Sprintf("POST %s HTTP/1.1\r\nHost: gateway\r\nX-Api-Key: %s\r\nIdempotency-Key: %s\r\nContent-Length: %d\r\n\r\n",
		path, text, key, size)
}

// batch is the operation with the largest bodies.
const batch = "/open/v1/orders/batch/shipment"

// A caller without permission gets the refusal when the head has arrived: the announced body is never sent.
func TestHead_refusedWithoutBody(t *testing.T) {
	t.Parallel()
	limits := published
	limits.Process = 1
	b, o := owned(t, setting{limits: limits}, inbox.Config{}, nil)
	_, blind := b.key(t, "qna:read")
	_, full := b.key(t)
	require.Equal(t, http.StatusOK, b.post(t, full, "first", prepare(ownertest.Success), "{}").status)
	ended, gone := b.key(t)
	_, err := b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: ended.ID, Author: kim})
	require.NoError(t, err)
	for _, size := range []int{100, 8 << 10, 100 << 10, 4 << 20} {
		for _, test := range []struct {
			text   string
			status int
			code   string
		}{
			{"", 401, "API_KEY_REQUIRED"},
			{"nobody", 401, "INVALID_API_KEY"},
			{gone, 401, "INVALID_API_KEY"},
			{blind, 403, "SCOPE_FORBIDDEN"},
			{full, 429, "RATE_LIMITED"},
		} {
			l := b.dial(t)
			l.say(t, head(batch, test.text, "k", size))
			got := l.hear(t)
			refused(t, got, test.status, test.code)
			require.Equal(t, "close", got.header.Get("Connection"), "the following bytes are a body, not a request")
		}
	}
	require.Equal(t, 1, o.effects(t))
}

// A body that follows its head, in any number of pieces, belongs to the same call, which is charged once.
func TestHead_bodyFollows(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: published}, inbox.Config{}, nil)
	_, text := b.key(t)
	left, l := 30, b.dial(t)
	for _, size := range []int{40, 3 << 10, 100 << 10, 1000 << 10} {
		body := `{"filling":"` + strings.Repeat("x", size-14) + `"}`
		path, key := prepare(ownertest.Success), strconv.Itoa(size)
		l.say(t, head(path, text, key, len(body)))
		require.Eventually(t, func() bool {
			return b.total(telemetry.LimitDecisions, "process",
				"admitted") == float64(31-left)
		}, time.Minute, tick)
		l.say(t, body[:10])
		l.say(t, body[10:])
		first := l.hear(t)
		left--
		require.Equal(t, http.StatusOK, first.status, string(first.body))
		require.Equal(t, strconv.Itoa(left), leftIn(first).remaining)
		require.Empty(t, first.header.Get("Connection"), "the connection serves the next call")
		replayed(t, first, b.post(t, text, key, path, strings.Replace(body, `x"}`, `\u0078" }`, 1)))
		left--
		refused(t, b.post(t, text, key, path, strings.Replace(body, `x"}`, `y"}`, 1)), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
		left--
	}
	require.Equal(t, 4, o.effects(t))
}

// A key that is revoked while the body of its call arrives is refused like every bad key: without headers about its limits.
func TestHead_revokedMeanwhile(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: published}, inbox.Config{}, nil)
	key, text := b.key(t)
	body := `{"filling":"` + strings.Repeat("x", 8<<10) + `"}`
	l := b.dial(t)
	l.say(t, head(prepare(ownertest.Success), text, "k", len(body)))
	require.Eventually(t, func() bool { return b.total(telemetry.LimitDecisions, "process", "admitted") == 1 }, time.Minute, tick)
	_, err := b.keys.Revoke(t.Context(), apikey.RevokeRequest{SellerID: b.seller, KeyID: key.ID, Author: kim})
	require.NoError(t, err)
	l.say(t, body)
	got := l.hear(t)
	refused(t, got, http.StatusUnauthorized, "INVALID_API_KEY")
	for name := range got.header {
		require.NotRegexp(t, "(?i)ratelimit", name)
	}
	require.Zero(t, o.effects(t))
}

// One key may have four bodies in progress; the fifth waits, and other keys are not affected.
func TestBudget_bodiesOfAKey(t *testing.T) {
	t.Parallel()
	b, _ := owned(t, setting{limits: published}, inbox.Config{}, nil)
	_, text := b.key(t)
	_, other := b.key(t)
	body := `{"filling":"` + strings.Repeat("x", 8<<10) + `"}`
	path, held := prepare(ownertest.Success), make([]line, 4)
	for i := range held {
		held[i] = b.dial(t)
		held[i].say(t, head(path, text, strconv.Itoa(i), len(body)))
	}
	b.holds(t, 4*len(body))
	l := b.dial(t)
	l.say(t, head(path, text, "fifth", len(body)))
	got := l.hear(t)
	refused(t, got, http.StatusServiceUnavailable, "")
	require.Equal(t, "1", got.header.Get("Retry-After"))
	require.Equal(t, "25", leftIn(got).remaining, "an admitted call is charged")
	require.InDelta(t, 1, b.total(telemetry.BodyRefusals, "key"), 0)
	require.Equal(t, http.StatusOK, b.post(t, text, "small", path, "{}").status)
	require.Equal(t, http.StatusOK, b.post(t, other, "other", path, body).status)
	for _, one := range held {
		one.say(t, body)
		require.Equal(t, http.StatusOK, one.hear(t).status)
	}
	b.holds(t, 0)
	require.Equal(t, http.StatusOK, b.post(t, text, "fifth", path, body).status)
}

func (b *fixture) holds(t *testing.T, bytes int) {
	t.Helper()
	require.Eventually(t, func() bool { return b.held() == float64(bytes) }, time.Minute, tick)
}

// The total size of all bodies has a limit, by their announced lengths.
func TestBudget_memory(t *testing.T) {
	t.Parallel()
	b := begin(t, setting{limits: published, bodies: 5 << 20}, http.HandlerFunc(rows))
	_, text := b.key(t)
	_, other := b.key(t)
	l := b.dial(t)
	l.say(t, head(batch, text, "first", 4<<20))
	b.holds(t, 4<<20)
	large := b.post(t, other, "large", batch, strings.Repeat(" ", 2<<20))
	refused(t, large, http.StatusServiceUnavailable, "")
	require.Equal(t, "1", large.header.Get("Retry-After"))
	require.InDelta(t, 1, b.total(telemetry.BodyRefusals, "memory"), 0)
	require.NotEqual(t, http.StatusServiceUnavailable, b.post(t, other, "little", batch, strings.Repeat(" ", 1<<20)).status)
	require.NoError(t, l.Close())
	b.holds(t, 0)
}
