package linestest

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/pkg/trust/trusttest"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
)

// Serve serves the contract on its own port until the end of the test and returns its address.
func (o *Orders) Serve(tb testing.TB) string {
	tb.Helper()
	mux, err := rpc.NewMux("orders", trusttest.Keys(), rpc.Config{Timeout: 20 * time.Second}, telemetrytest.Discard(tb))
	require.NoError(tb, err)
	mux.Handle(ordersv1connect.NewClaimLinesHandler(o, mux.Options()))
	return serve(tb, o.around(mux))
}

// Proxy forwards calls to the service at an address and can inject faults.
type Proxy struct {
	Faults
}

// Serve forwards calls to the service until the end of the test and returns the address to call instead.
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
