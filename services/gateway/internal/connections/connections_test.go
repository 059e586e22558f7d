package connections

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/telemetry/telemetrytest"
)

func serve(t *testing.T, exempt ...netip.Prefix) (*httptest.Server, *Limit) {
	t.Helper()
	limit := New(2, exempt, telemetrytest.Discard(t))
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	server.Config.ConnState = limit.State
	server.Start()
	t.Cleanup(server.Close)
	return server, limit
}

// dial connects from a loopback address and returns the connection, and reports whether a request on it gets a response.
func dial(t *testing.T, server *httptest.Server, from string) (net.Conn, bool) {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	connection, err := dialer.DialContext(t.Context(), "tcp", server.Listener.Addr().String())
	require.NoError(t, err)
	t.Cleanup(func() { _ = connection.Close() })
	require.NoError(t, connection.SetDeadline(time.Now().Add(time.Minute)))
	_, _ = io.WriteString(connection, "GET / HTTP/1.1\r\nHost: gateway\r\n\r\n") // the server may have closed its end
	var first [1]byte
	_, err = connection.Read(first[:])
	return connection, err == nil
}

func (l *Limit) of(address string) int {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	return l.open[netip.MustParsePrefix(address+"/32")]
}

// A connection above the limit is closed, those of other addresses are served, and one that ends makes room.
func TestLimit_byAddress(t *testing.T) {
	t.Parallel()
	server, limit := serve(t)
	first, served := dial(t, server, "127.0.0.1")
	require.True(t, served)
	_, served = dial(t, server, "127.0.0.1")
	require.True(t, served)
	_, served = dial(t, server, "127.0.0.1")
	require.False(t, served)
	require.InDelta(t, 1, testutil.ToFloat64(limit.refusals), 0)
	_, served = dial(t, server, "127.0.0.2")
	require.True(t, served)

	require.NoError(t, first.Close())
	require.Eventually(t, func() bool { return limit.of("127.0.0.1") == 1 }, time.Minute, time.Millisecond,
		"a refused connection is not counted")
	_, served = dial(t, server, "127.0.0.1")
	require.True(t, served)
}

// Connections of proxies are those of their clients, so they are not counted.
func TestLimit_trustedProxies(t *testing.T) {
	t.Parallel()
	server, limit := serve(t, netip.MustParsePrefix("127.0.0.0/30"))
	for range 5 {
		_, served := dial(t, server, "127.0.0.1")
		require.True(t, served)
	}
	require.Empty(t, limit.open)
}

// An address without connections is not kept.
func TestLimit_forgets(t *testing.T) {
	t.Parallel()
	server, limit := serve(t)
	connection, served := dial(t, server, "127.0.0.1")
	require.True(t, served)
	require.NoError(t, connection.Close())
	require.NoError(t, server.Config.Shutdown(context.WithoutCancel(t.Context())))
	require.Eventually(t, func() bool { return limit.of("127.0.0.1") == 0 }, time.Minute, time.Millisecond)
	require.Empty(t, limit.open)
}
