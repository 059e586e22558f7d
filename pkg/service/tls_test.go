package service

import (
	"crypto/tls"
	"log/slog"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/certificate/certificatetest"
)

// gRPC callers need HTTP/2 with TLS as well as without it, and the public port does not change.
func TestServe_TLS(t *testing.T) {
	t.Parallel()
	ca, files := certificatetest.NewAuthority(t), certificate.Config{Dir: t.TempDir()}
	ca.Write(t, files.Dir, "127.0.0.1")
	secured, err := files.Server(slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	calls, paths := public(hello), public(hello)
	calls.Name, calls.H2C, calls.TLS, paths.TLS = "rpc", true, secured, secured
	r := start(t, Spec{Listeners: []Listener{calls, paths}})
	for name, chosen := range map[string]string{"rpc": "h2", "public": "http/1.1"} {
		require.Equal(t, chosen, negotiated(t, r.addresses[name], ca, "h2", "http/1.1"), name)
	}
	require.Equal(t, http.StatusOK, r.get(t, OpsListener, "/livez").status, "probes and scrapes need no certificate")
	refused := r.get(t, "public", "/")
	require.Equal(t, http.StatusBadRequest, refused.status, "requests without TLS are refused")
	require.NoError(t, r.stop())
}

func negotiated(t *testing.T, address string, ca *certificatetest.Authority, protocols ...string) string {
	t.Helper()
	dialer := tls.Dialer{Config: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: ca.Pool(), NextProtos: protocols}}
	connection, err := dialer.DialContext(t.Context(), "tcp", address)
	require.NoError(t, err)
	defer func() { require.NoError(t, connection.Close()) }()
	secured, ok := connection.(*tls.Conn)
	require.True(t, ok)
	return secured.ConnectionState().NegotiatedProtocol
}
