package upstream_test

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

	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/principal/principaltest"
	"sellerapi.dev/pkg/trust"
)

type received struct {
	method, uri, path string
	header            http.Header
	host              string
	body              string
	encoding          []string
	trailer           http.Header
}

func recording(t *testing.T) (*fixture, <-chan received) {
	t.Helper()
	seen := make(chan received, 10)
	b := serving(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen <- received{
			method: r.Method, uri: r.RequestURI, path: r.URL.EscapedPath(), header: r.Header.Clone(), host: r.Host,
			body: string(body), encoding: r.TransferEncoding, trailer: r.Trailer,
		}
		answer(w, `{}`)
	})
	return b, seen
}

func raw(t *testing.T, b *fixture, text string) int {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(b.url, "http://"))
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	require.NoError(t, conn.SetDeadline(time.Now().Add(time.Minute)))
	_, err = io.WriteString(conn, strings.ReplaceAll(text, "\n", "\r\n"))
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	return response.StatusCode
}

// expected are the only headers that a service may receive; net/http adds the last ones itself.
var expected = map[string]bool{
	"Accept-Language": true, "Content-Type": true, "Content-Encoding": true, "X-Request-Id": true,
	principal.Header: true, "Traceparent": true, "Tracestate": true, "Content-Length": true,
}

// Every known way of smuggling an internal header, or a secret of the client, past a proxy.
func TestRequest_inboundHeadersFiltered(t *testing.T) {
	t.Parallel()
	b, seen := recording(t)
	for name, head := range map[string]string{
		"plain":                           "X-Seller-Principal: forged\nX-Inbox: forged\nX-Rows: 1",
		"named in Connection":             "X-Seller-Principal: forged\nConnection: close, X-Seller-Principal, X-Request-Id",
		"twice":                           "X-Seller-Principal: forged\nX-Seller-Principal: forged",
		"other letter case":               "x-SELLER-principal: forged\nx-inbox: forged",
		"underscores":                     "X_Seller_Principal: forged",
		"secrets":                         "X-Api-Key: forged\nIdempotency-Key: forged\nAuthorization: forged\nCookie: forged",
		"forwarding":                      "Forwarded: forged\nX-Forwarded-For: forged\nX-Forwarded-Host: forged\nX-Real-Ip: forged",
		"our headers named in Connection": "Accept-Language: forged\nContent-Type: forged\nConnection: accept-language ,Content-Type",
		"upgrade":                         "Connection: Upgrade\nUpgrade: websocket\nTE: trailers",
		"encodings":                       "Accept-Encoding: gzip\nExpect: 100-continue",
	} {
		require.Equal(t, http.StatusOK, raw(t, b, "GET /open/v1/orders HTTP/1.1\nHost: gateway\n"+head+"\n\n"), name)
		got := <-seen
		for header, values := range got.header {
			require.True(t, expected[header], "%s: %s arrived", name, header)
			require.NotContains(t, values, "forged", name)
		}
		require.Len(t, got.header.Values(principal.Header), 1, name)
		require.Empty(t, got.trailer)
	}
}

// The service verifies the signature of the request line that it receives, so the gateway must sign exactly that, however odd.
func TestRequest_principalSignedForTarget(t *testing.T) {
	t.Parallel()
	b, seen := recording(t)
	for _, path := range []string{
		"/open/v1/orders", "/open/v1/orders/A%2FB", "/open/v1/orders/%ED%95%9C", "/open/v1/orders/한", "/open/v1/orders/a%20b;c=%00",
		"//double", "/open/v1/orders/../x", "/open/v1/orders?x=1", "/open/v1/orders?",
		"/open/v1/orders?a=%zz;b=한&&", "/open/v1/orders/%3F?a=?b",
	} {
		require.Equal(t, http.StatusOK, raw(t, b, fmt.Sprintf("GET %s HTTP/1.1\nHost: gateway\n\n", path)), path)
		got := <-seen
		call := principal.Call{Method: got.method, Target: got.uri}
		verified, err := principaltest.Verifier(t, trust.Orders).Verify(call, got.header.Get(principal.Header), time.Now())
		require.NoError(t, err, path)
		require.Equal(t, caller, verified.Principal)
		require.NoError(t, verified.CheckBody(nil))
	}
}

// The query arrives as it was sent, even if it is malformed.
func TestRequest_queryArrivesAsSent(t *testing.T) {
	t.Parallel()
	b, seen := recording(t)
	for _, query := range []string{"a=1&a=2", "updated_at_gte=2026-01-01T00:00:00%2B09:00", "a=%zz", "a;b=1", "=&&", "a=+", ""} {
		require.Equal(t, http.StatusOK, raw(t, b, "GET /open/v1/orders?"+query+" HTTP/1.1\nHost: gateway\n\n"))
		require.Equal(t, "/open/v1/orders?"+query, (<-seen).uri)
	}
}

func TestRequest_hostOfTheService(t *testing.T) {
	t.Parallel()
	b, seen := recording(t)
	require.Equal(t, http.StatusOK, raw(t, b, "GET http://elsewhere.example/open/v1/orders HTTP/1.1\nHost: elsewhere.example\n\n"))
	got := <-seen
	require.Equal(t, "/open/v1/orders", got.uri)
	require.NotContains(t, got.host, "elsewhere")
}

// The language, the content type, the request id and the trace of a request are forwarded to the service.
func TestRequest_languageTypeAndIDsArrive(t *testing.T) {
	t.Parallel()
	b, seen := recording(t)
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, b.url+"/open/v1/x", strings.NewReader(`{"a":1}`))
	require.NoError(t, err)
	request.Header.Set("Accept-Language", "ko")
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Content-Encoding", "identity")
	request.Header.Set("X-Request-Id", "my-request")
	request.Header.Set("Traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01")
	response, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	require.Equal(t, []string{"my-request"}, response.Header.Values("X-Request-Id"))
	got := <-seen
	require.Equal(t, "ko", got.header.Get("Accept-Language"))
	require.Equal(t, "application/json", got.header.Get("Content-Type"))
	require.Equal(t, "identity", got.header.Get("Content-Encoding"))
	require.Equal(t, "my-request", got.header.Get("X-Request-Id"))
	require.Contains(t, got.header.Get("Traceparent"), "0af7651916cd43dd8448eb211c80319c")
	require.NotContains(t, got.header.Get("Traceparent"), "b7ad6b7169203331", "the parent must be our span")
	require.Equal(t, `{"a":1}`, got.body)
}

// A service without an address is unavailable.
func TestForward_503NoAddress(t *testing.T) {
	t.Parallel()
	b := gateway(t, nil, time.Second)
	response := b.get(t, "/open/v1/orders")
	refused(t, response, http.StatusServiceUnavailable)
	require.Equal(t, "1", response.header.Get("Retry-After"))
	require.InDelta(t, 1, b.counted("unavailable"), 0)
}
