package upstream_test

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A response is forwarded byte for byte, with its status and content type.
func TestForward_passesAnswerByteForByte(t *testing.T) {
	t.Parallel()
	for _, status := range []int{200, 400, 404, 409, 410, 422, 429, 500, 503} {
		body := `{ "meta" : {"code":` + strconv.Itoa(status) + `},  "data":"<&>` + strings.Repeat("한", 50_000) + `" }` + "\n"
		b := serving(t, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
			w.WriteHeader(status)
			_, _ = io.WriteString(w, body)
		})
		response := b.get(t, "/open/v1/orders")
		require.Equal(t, status, response.status)
		require.Equal(t, body, string(response.body))
		require.Equal(t, "application/json; charset=utf-8", response.header.Get("Content-Type"))
		require.InDelta(t, 1, b.counted(strconv.Itoa(status/100)+"xx"), 0)
	}
}

// Of a response's headers only those for clients are forwarded.
func TestForward_passesOnlyHeadersForClients(t *testing.T) {
	t.Parallel()
	b := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		header := w.Header()
		header.Set("Content-Type", "application/json")
		header.Set("X-Seller-Principal", "leak")
		header.Set("X-Inbox", "leak")
		header.Set("X-Rows", "leak")
		header.Set("Connection", "close, X-Request-Id")
		header.Set("X-Request-Id", "leak")
		header.Set("Set-Cookie", "leak")
		header.Set("Server", "leak")
		header.Set("Cache-Control", "public, leak")
		header.Set("Trailer", "X-Inbox")
		header.Set("Retry-After", "7")
		header.Set("Idempotent-Replayed", "true")
		w.WriteHeader(http.StatusConflict)
		_, _ = io.WriteString(w, `{"data":null}`)
		header.Set("X-Inbox", "leak")
		header.Set(http.TrailerPrefix+"X-Rows", "leak")
	})
	response := b.get(t, "/open/v1/orders")
	require.JSONEq(t, `{"data":null}`, string(response.body))
	require.Empty(t, response.trailer)
	for name, values := range response.header {
		require.NotContains(t, strings.Join(values, " "), "leak", name)
	}
	require.Equal(t, "7", response.header.Get("Retry-After"))
	require.Equal(t, "true", response.header.Get("Idempotent-Replayed"))
	require.Equal(t, []string{"no-store"}, response.header.Values("Cache-Control"))
	require.Len(t, response.header.Values("X-Request-Id"), 1)
}

// A response of unknown length reaches the client while the service is still writing.
func TestAnAnswerIsStreamed(t *testing.T) {
	t.Parallel()
	goOn := make(chan struct{})
	b := serving(t, func(w http.ResponseWriter, _ *http.Request) {
		answer(w, `{"list":[`)
		w.(http.Flusher).Flush()
		<-goOn
		_, _ = io.WriteString(w, `]}`)
	})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url, nil)
	require.NoError(t, err)
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	first := make([]byte, len(`{"list":[`))
	_, err = io.ReadFull(response.Body, first)
	require.NoError(t, err)
	close(goOn)
	rest, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.JSONEq(t, `{"list":[]}`, string(first)+string(rest))
}

// What is not an answer of a service is refused as a whole, and counted.
func TestForward_502MalformedAnswer(t *testing.T) {
	t.Parallel()
	const head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
	for name, text := range map[string]string{
		"not HTTP":           "hello\r\n\r\n",
		"truncated header":   "HTTP/1.1 200 OK\r\nContent-Ty",
		"HTML":               "HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nContent-Length: 4\r\n\r\nbad!",
		"no media type":      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}",
		"bad media type":     "HTTP/1.1 200 OK\r\nContent-Type: a/b/c;;=\r\nContent-Length: 2\r\n\r\n{}",
		"redirect":           "HTTP/1.1 302 Found\r\nLocation: http://elsewhere.example/\r\nContent-Type: application/json\r\n\r\n{}",
		"switched protocol":  "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
		"empty body":         head + "Content-Length: 0\r\n\r\n",
		"empty chunked body": head + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
		"no content":         "HTTP/1.1 204 No Content\r\nContent-Type: application/json\r\n\r\n",
		"encoded body":       head + "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}",
		"principal refused":  "HTTP/1.1 401 Unauthorized\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
		"malformed length":   head + "Content-Length: many\r\n\r\n{}",
		"header too long":    head + "X-Long: " + strings.Repeat("x", 80<<10) + "\r\n\r\n{}",
		"truncated body":     head + "Content-Length: 100\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := speaking(t, text)
			response := b.get(t, "/open/v1/orders")
			refused(t, response, http.StatusBadGateway)
			require.NotContains(t, string(response.body), "elsewhere")
			require.InDelta(t, 1, b.counted("bad_answer"), 0)
		})
	}
}

// A service that cannot be reached or resets the connection is unavailable.
func TestForward_503ServiceAway(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	for name, b := range map[string]*fixture{
		"refused":      before(t, closed.URL, time.Minute),
		"unknown host": before(t, "http://service.invalid:1", time.Minute),
		"reset":        speaking(t, ""),
	} {
		response := b.get(t, "/open/v1/orders")
		refused(t, response, http.StatusServiceUnavailable)
		require.Equal(t, "1", response.header.Get("Retry-After"), name)
		require.InDelta(t, 1, b.counted("unavailable"), 0, name)
	}
}

// A service that takes too long results in a timeout, and its request is canceled.
func TestForward_504ServiceTooSlow(t *testing.T) {
	t.Parallel()
	ended := make(chan struct{})
	service := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		<-r.Context().Done()
		close(ended)
	}))
	t.Cleanup(service.Close)
	b := before(t, service.URL, 50*time.Millisecond)
	response := b.get(t, "/open/v1/orders")
	refused(t, response, http.StatusGatewayTimeout)
	require.InDelta(t, 1, b.counted("timeout"), 0)
	<-ended // the service's request was canceled
}

// A truncated response must not look complete, in particular if its length was not announced.
func TestForward_brokenOffAnswer(t *testing.T) {
	t.Parallel()
	half := `{"data":"` + strings.Repeat("x", 64<<10)
	for name, text := range map[string]string{
		"known length":   "Content-Length: 1000000\r\n\r\n" + half,
		"unknown length": "Transfer-Encoding: chunked\r\n\r\n" + strconv.FormatInt(int64(len(half)), 16) + "\r\n" + half + "\r\n",
	} {
		b := speaking(t, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"+text)
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, b.url, nil)
		require.NoError(t, err)
		response, err := http.DefaultClient.Do(request)
		require.NoError(t, err, name)
		got, err := io.ReadAll(response.Body)
		require.ErrorIs(t, err, io.ErrUnexpectedEOF, name)
		require.NoError(t, response.Body.Close())
		require.True(t, strings.HasPrefix(half, string(got)), name)
		require.Eventually(t, func() bool { return b.counted("bad_answer") == 1 }, time.Minute, time.Millisecond, name)
	}
}

// A client that disconnects does not count as a failure of the service, and the service's call ends.
func TestForward_clientGoesAway(t *testing.T) {
	t.Parallel()
	arrived := make(chan struct{})
	var ended atomic.Bool
	b := serving(t, func(_ http.ResponseWriter, r *http.Request) {
		close(arrived)
		<-r.Context().Done()
		ended.Store(true)
	})
	ctx, leave := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, b.url, nil)
	require.NoError(t, err)
	gone := make(chan error, 1)
	go func() {
		response, err := http.DefaultClient.Do(request)
		if err == nil {
			err = response.Body.Close()
		}
		gone <- err
	}()
	<-arrived
	leave()
	require.ErrorIs(t, <-gone, context.Canceled)
	require.Eventually(t, func() bool { return b.counted("client_gone") == 1 && ended.Load() }, time.Minute, time.Millisecond)
}
