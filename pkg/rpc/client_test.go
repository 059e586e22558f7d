package rpc_test

import (
	"context"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"connectrpc.com/connect"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"sellerapi.dev/pkg/apierr"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func answering(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewServer(handle)
	t.Cleanup(server.Close)
	return server.URL
}

// Answers that do not come from a service of this system become codes of the error table.
func TestClient_foreignAnswers(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		handle http.HandlerFunc
		want   apierr.Code
	}{
		"HTML page": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>")) }, apierr.BadUpstream},
		"not found": {http.NotFound, apierr.BadUpstream},
		"503 of a proxy": {
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusServiceUnavailable) },
			apierr.Unavailable,
		},
		"502 of a proxy": {
			func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) },
			apierr.Unavailable,
		},
		"forbidden": {func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) }, apierr.Internal},
		"redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/elsewhere",
				http.StatusFound)
		}, apierr.BadUpstream},
		"broken connection": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, apierr.Unavailable},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serve(t, echo)
			_, err := s.client(t, answering(t, c.handle)).CallUnary(t.Context(), connect.NewRequest(&text{}))
			require.ErrorIs(t, err, c.want)
		})
	}
}

// A call to a peer that is not running fails as unavailable.
func TestClient_absentPeerIsUnavailable(t *testing.T) {
	t.Parallel()
	port, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	require.NoError(t, port.Close())
	s := serve(t, echo)
	_, err = s.client(t, "http://"+port.Addr().String()).CallUnary(t.Context(), connect.NewRequest(&text{}))
	require.ErrorIs(t, err, apierr.Unavailable)
}

func TestClient_peerThatDoesNotTrustIt(t *testing.T) {
	t.Parallel()
	s, other := serve(t, echo), serve(t, echo, func(s *setup) { s.trusted = strangers() })
	_, err := s.client(t, other.url).CallUnary(t.Context(), connect.NewRequest(&text{}))
	require.ErrorIs(t, err, apierr.Internal)
	require.ErrorContains(t, err.(*apierr.Error).Cause, "not signed with a key that is trusted here") //nolint:errorlint // the client returns the type itself
}

// A peer that never responds costs no more than the deadline, be it the default or the caller's
// own.
func TestClient_silentPeerCostsDeadline(t *testing.T) {
	t.Parallel()
	url := answering(t, func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s := serve(t, echo, func(s *setup) { s.config.Timeout = 30 * time.Millisecond })
	_, err := s.client(t, url).CallUnary(t.Context(), connect.NewRequest(&text{}))
	require.ErrorIs(t, err, apierr.UpstreamTimeout, "the default applies")

	s = serve(t, echo)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Millisecond)
	defer cancel()
	_, err = s.client(t, url).CallUnary(ctx, connect.NewRequest(&text{}))
	require.ErrorIs(t, err, apierr.UpstreamTimeout, "the caller's deadline applies")
}

// A call whose connection breaks is not retried.
func TestClient_sendsCallOnce(t *testing.T) {
	t.Parallel()
	var calls atomic.Int32
	url := answering(t, func(http.ResponseWriter, *http.Request) {
		calls.Add(1)
		panic(http.ErrAbortHandler)
	})
	s := serve(t, echo)
	_, err := s.client(t, url).CallUnary(t.Context(), connect.NewRequest(&text{}))
	require.Error(t, err)
	require.EqualValues(t, 1, calls.Load())
}
