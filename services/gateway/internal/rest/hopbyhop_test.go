package rest_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/services/gateway/internal/ownertest"
)

// canary is a value that a client may have put into a header by mistake, such as a key.
const canary = "vpk_test_canary"

// hopByHop are headers for the next hop only, with values that a proxy would have to act on. A byte beyond ASCII makes an unknown
// protocol.
var hopByHop = map[string]string{
	"none":                       "",
	"upgrade":                    "Connection: Upgrade\r\nUpgrade: " + canary + "\r\n",
	"upgrade, not ASCII":         "Connection: Upgrade\r\nUpgrade: " + canary + "\xff\r\n",
	"upgrade to h2c":             "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: " + canary + "\r\n",
	"upgrade without Connection": "Upgrade: " + canary + "\xff\r\n",
	"header named in Connection": "Connection: X-Mine, " + canary + "\r\nX-Mine: " + canary + "\r\n",
	"keep-alive":                 "Connection: keep-alive\r\nKeep-Alive: " + canary + "\r\n",
	"proxy connection":           "Proxy-Connection: " + canary + "\r\n",
	"proxy authorization":        "Proxy-Authorization: " + canary + "\r\nProxy-Authenticate: " + canary + "\r\n",
	"te":                         "Connection: TE\r\nTE: trailers, " + canary + "\r\n",
	"trailer":                    "Trailer: " + canary + "\r\n",
}

// A header for the next hop changes nothing, is not forwarded, and is not logged.
func TestHopByHopHeaders(t *testing.T) {
	t.Parallel()
	b, o := owned(t, setting{limits: plenty, spans: tracetest.NewSpanRecorder()}, inbox.Config{}, nil)
	_, text := b.key(t)
	plain := map[string]string{}
	for _, name := range append([]string{"none"}, keysOf(hopByHop)...) {
		for request, line := range map[string]string{
			"process": "POST " + prepare(ownertest.Refusing("ORDER_NOT_FOUND")), "unknown": "GET /open/v1/none",
			"read": "GET /open/v1/orders",
		} {
			got := b.speak(t, line+" HTTP/1.1\r\nHost: gateway\r\nX-Api-Key: "+text+"\r\nX-Request-Id: same\r\nIdempotency-Key: "+
				uuid.NewString()+"\r\n"+hopByHop[name]+"Content-Length: 0\r\n\r\n")
			if name == "none" {
				plain[request] = got
			}
			require.Equal(t, plain[request], got, "%s with %s", request, name)
		}
	}
	families, err := b.tel.Registry.Gather()
	require.NoError(t, err)
	for _, request := range o.Arrived() {
		require.NotContains(t, fmt.Sprint(request.Header, request.Trailer), canary)
	}
	require.NotContains(t, fmt.Sprint(families), canary)
	require.NotContains(t, fmt.Sprintf("%+v", tracetest.SpanStubsFromReadOnlySpans(b.setting.spans.Ended())), canary)
	require.NotEmpty(t, b.setting.spans.Ended())
	require.NotContains(t, b.log.String(), canary)
	require.Contains(t, b.log.String(), prepare(":order_no"))
}

func keysOf(table map[string]string) []string {
	names := make([]string, 0, len(table))
	for name := range table {
		names = append(names, name)
	}
	return names
}

func (b *fixture) speak(t *testing.T, text string) string {
	t.Helper()
	conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", strings.TrimPrefix(b.url, "http://"))
	require.NoError(t, err)
	defer func() { _ = conn.Close() }()
	_, err = io.WriteString(conn, text)
	require.NoError(t, err)
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer func() { _ = response.Body.Close() }()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	return fmt.Sprint(response.StatusCode, " ", string(body))
}
