package rest_test

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

// A key that begins bodies and never ends them must not take the memory of the others.
func TestBudget_thousandUnfinishedBodies(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty}, inbox.Config{}, nil)
	_, text := b.key(t)
	_, other := b.key(t)
	const size = 1 << 20
	for i := range 4 {
		b.dial(t).say(t, head(prepare(ownertest.Success), text, strconv.Itoa(i), size))
	}
	b.holds(t, 4*size)
	for i := range 996 {
		l := b.dial(t)
		l.say(t, head(prepare(ownertest.Success), text, fmt.Sprint("more", i), size)+"{")
		require.Equal(t, http.StatusServiceUnavailable, l.hear(t).status)
	}
	b.holds(t, 4*size)
	require.InDelta(t, 996, b.total(telemetry.BodyRefusals, "key"), 0)
	require.Equal(t, http.StatusOK, b.post(t, other, "other", prepare(ownertest.Success),
		`{"filling":"`+strings.Repeat("x", 100<<10)+`"}`).status)
	require.Equal(t, 1, o.effects(t))
}

// A body that does not arrive results in a 408, whatever its size, and its key is free for the
// repetition.
func TestPace_408(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: published, timeout: 10 * time.Millisecond}, inbox.Config{}, nil)
	_, text := b.key(t)
	path := prepare(ownertest.Success)
	for _, size := range []int{100, 100 << 10} {
		l := b.dial(t)
		l.say(t, head(path, text, strconv.Itoa(size), size)+"{")
		got := l.hear(t)
		refused(t, got, http.StatusRequestTimeout, "")
		require.Equal(t, "close", got.header.Get("Connection"))
	}
	require.InDelta(t, 2, b.total(telemetry.BodyRefusals, "slow"), 0)
	require.InDelta(t, 2, b.total(telemetry.LimitDecisions, "process", "admitted"), 0)
	require.Zero(t, o.effects(t))
	b.holds(t, 0)
	b.setting.timeout = 0
	again := b.replica(t)
	for _, key := range []string{"100", strconv.Itoa(100 << 10)} {
		require.Equal(t, http.StatusOK, again.post(t, text, key, path, "{}").status)
	}
}

// More connections than are read from never send their bodies: each gets its response at once.
func TestHead_manySilentClients(t *testing.T) {
	t.Parallel()
	b := before(t, nil)
	for range 200 {
		l := b.dial(t)
		l.say(t, head(batch, "", "k", 100))
		refused(t, l.hear(t), http.StatusUnauthorized, "API_KEY_REQUIRED")
	}
}

// A client with Expect: 100-continue is asked for the body when its call is admitted.
func TestHead_continue(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: published}, inbox.Config{}, nil)
	_, text := b.key(t)
	l := b.dial(t)
	for i := range 2 {
		l.say(t, strings.Replace(head(prepare(ownertest.Success), text, strconv.Itoa(i), 2), "\r\n\r\n",
			"\r\nExpect: 100-continue\r\n\r\n", 1))
		require.Equal(t, http.StatusContinue, l.hear(t).status)
		l.say(t, "{}")
		require.Equal(t, http.StatusOK, l.hear(t).status)
	}
	require.Equal(t, 2, o.effects(t))
}

// A client that sends everything before it reads must find the response, however early it was
// sent.
func TestLargeBody_refusalReachesClient(t *testing.T) {
	t.Parallel()
	limits := published
	limits.Process = 2
	b, _ := owned(t, setting{limits: limits}, inbox.Config{}, nil)
	_, blind := b.key(t, "qna:read")
	_, full := b.key(t)
	for i := range limits.Process {
		require.Equal(t, http.StatusOK, b.post(t, full, strconv.Itoa(i), prepare(ownertest.Success), "{}").status)
	}
	const size = 12 << 20
	for _, test := range []struct {
		method, path, key string
		status            int
	}{
		{"POST", prepare("O-1"), "", http.StatusUnauthorized},
		{"POST", prepare("O-1"), "nobody", http.StatusUnauthorized},
		{"POST", prepare("O-1"), blind, http.StatusForbidden},
		{"POST", prepare("O-1"), full, http.StatusTooManyRequests},
		{"PUT", prepare("O-1"), "nobody", http.StatusMethodNotAllowed},
		{"POST", "/open/v1/nothing", "nobody", http.StatusNotFound},
		{"GET", "/open/v1/orders", "nobody", http.StatusUnauthorized},
	} {
		b.blindly(t, test.method, test.path, test.key, size, test.status)
	}
	_, text := b.key(t)
	b.blindly(t, "POST", batch, text, size, http.StatusRequestEntityTooLarge)
}

// blindly sends a whole body, with announced length and in chunks, before it reads the response.
func (b *fixture) blindly(t *testing.T, method, path, key string, size, status int) {
	t.Helper()
	head := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: gateway\r\nX-Api-Key: %s\r\nIdempotency-Key: k\r\n", method, path, key)
	body := strings.Repeat("x", size)
	announced := io.MultiReader(strings.NewReader(fmt.Sprintf("%sContent-Length: %d\r\n\r\n", head, size)), strings.NewReader(body))
	require.Equal(t, status, b.raw(t, method, announced).status)
	chunked := io.MultiReader(strings.NewReader(fmt.Sprintf("%sTransfer-Encoding: chunked\r\n\r\n%x\r\n", head, size)),
		strings.NewReader(body+"\r\n0\r\n\r\n"))
	require.Equal(t, status, b.raw(t, method, chunked).status)
}
