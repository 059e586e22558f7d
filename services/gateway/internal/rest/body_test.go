package rest_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// A truncated request must not reach a service as if it were complete.
func TestBody_cutShortReachesNoService(t *testing.T) {
	t.Parallel()
	b, seen := seeing(t)
	_, text := b.key(t)
	for name, body := range map[string]string{
		"announced":        "Content-Length: 100\r\n\r\n{}",
		"unknown length":   "Transfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
		"malformed chunks": "Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n",
	} {
		conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(b.url, "http://"))
		require.NoError(t, err)
		require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
		_, err = fmt.Fprintf(conn,
			"POST /open/v1/orders/O-1/delivery HTTP/1.1\r\nHost: gateway\r\nX-Api-Key: %s\r\nIdempotency-Key: %s\r\n%s", text, name, body)
		require.NoError(t, err)
		require.NoError(t, conn.(*net.TCPConn).CloseWrite())
		response, err := http.ReadResponse(bufio.NewReader(conn), nil)
		require.NoError(t, err)
		content, err := io.ReadAll(response.Body)
		require.NoError(t, err)
		require.NoError(t, response.Body.Close())
		require.NoError(t, conn.Close())
		refused(t, answer{status: response.StatusCode, header: response.Header, body: content},
			http.StatusUnprocessableEntity, "VALIDATION_ERROR")
		require.Empty(t, seen, name)
	}
}

// A body of a read is ignored, whatever its size.
func TestBody_ofAReadIsDropped(t *testing.T) {
	t.Parallel()
	b, seen := seeing(t)
	_, text := b.key(t)
	sent := with(text)
	sent.body = "ignored"
	for _, chunked := range []bool{false, true} {
		response := b.sendBody(t, sent, chunked)
		require.Equal(t, http.StatusOK, response.status)
		require.Empty(t, (<-seen).body)
	}
}

// raw sends bytes on a new connection and returns the response; it reads nothing before it has sent everything.
func (b *fixture) raw(t *testing.T, method string, sent io.Reader) answer {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(b.url, "http://"))
	require.NoError(t, err)
	defer func() { require.NoError(t, conn.Close()) }()
	require.NoError(t, conn.SetDeadline(time.Now().Add(waitFor)))
	_, err = io.Copy(conn, sent)
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	content, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return answer{response.StatusCode, response.Header, response.ContentLength, content}
}

// A client with Expect: 100-continue need not send the body of a refused call.
func TestBody_refusedIsNotAskedFor(t *testing.T) {
	t.Parallel()
	b := before(t, nil)
	got := b.raw(t, "POST", strings.NewReader("POST /open/v1/orders/O-1/delivery HTTP/1.1\r\nHost: gateway\r\nX-Api-Key: nobody\r\n"+
		"Expect: 100-continue\r\nContent-Length: 100\r\n\r\n"))
	refused(t, got, http.StatusUnauthorized, "INVALID_API_KEY")
}
