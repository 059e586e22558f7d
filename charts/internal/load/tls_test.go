package load_test

import (
	"crypto/tls"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/charts/internal/load"
	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/certificate/certificatetest"
)

// secured starts a gateway whose certificate was issued by a new authority. It returns the dialer of a client that trusts this
// authority, and that of a client that trusts another one.
func secured(t *testing.T) (url string, trusting, stranger certificate.Dial) {
	t.Helper()
	const host = "127.0.0.1"
	dial := func() (certificate.Config, certificate.Dial) {
		files := certificate.Config{Dir: t.TempDir()}
		certificatetest.NewAuthority(t).Write(t, files.Dir, host)
		dial, err := files.Dialer(&net.Dialer{Timeout: time.Minute}, slog.New(slog.DiscardHandler))
		require.NoError(t, err)
		return files, dial
	}
	files, trusting := dial()
	_, stranger = dial()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_,
			_ = io.WriteString(w, `{"text":"key"}`)
	}))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug) // the stranger aborts handshakes
	config, err := files.Server(slog.New(slog.DiscardHandler))
	require.NoError(t, err)
	server.Listener = tls.NewListener(server.Listener, config) // StartTLS would use its own certificate
	server.Start()
	t.Cleanup(server.Close)
	return strings.Replace(server.URL, "http", "https", 1), trusting, stranger
}

// A release with TLS is called like one without. The token is not sent to a server whose certificate was issued by another
// authority.
func TestKeys_overTLS(t *testing.T) {
	t.Parallel()
	url, trusting, stranger := secured(t)
	keys, err := load.Issuer{URL: url, Dial: trusting}.Issue(t.Context(), 1)
	require.NoError(t, err)
	require.Len(t, keys, load.KeysOfASeller)
	for _, dial := range []certificate.Dial{stranger, nil} {
		_, err = load.Issuer{URL: url, Dial: dial}.Issue(t.Context(), 1)
		require.ErrorContains(t, err, "certificate signed by unknown authority")
	}
}
