package linestest

import (
	"net/http/httptest"
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
	server := httptest.NewServer(o.around(mux))
	tb.Cleanup(server.Close)
	return server.URL
}
