package linestest

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
)

// Keys is the shared secret of internal calls in tests.
func Keys(tb testing.TB) secret.Keys {
	tb.Helper()
	keys, err := secret.NewKeys([]byte(strings.Repeat("r", 32)))
	require.NoError(tb, err)
	return keys
}

// Serve answers the contract on a port of its own until the end of the test and returns its address.
func (o *Orders) Serve(tb testing.TB) string {
	tb.Helper()
	mux, err := rpc.NewMux(rpc.Config{Secret: Keys(tb), Timeout: 20 * time.Second}, telemetry.Discard(tb))
	require.NoError(tb, err)
	mux.Handle(ordersv1connect.NewClaimLinesHandler(o, mux.Options()))
	return serve(tb, o.around(mux))
}

// Proxy stands between callers and the service at an address, so that calls can go wrong on the way.
type Proxy struct {
	Faults
}

// Serve passes calls on to the service until the end of the test and returns the address to call instead.
func (p *Proxy) Serve(tb testing.TB, service string) string {
	tb.Helper()
	target, err := url.Parse(service)
	require.NoError(tb, err)
	return serve(tb, p.around(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) }}))
}

func serve(tb testing.TB, handler http.Handler) string {
	tb.Helper()
	server := httptest.NewServer(handler)
	tb.Cleanup(server.Close)
	return server.URL
}
