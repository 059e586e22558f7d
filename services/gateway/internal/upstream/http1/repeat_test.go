package http1_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/gateway/internal/upstream/http1"
)

// vanishing responds to the first request of a connection and closes it when it has read the second one; the second connection
// responds to all.
func vanishing(number int, on *peerConn) {
	for first := true; on.readRequest(); first = false {
		if number == 1 && !first {
			return
		}
		on.write(ok)
	}
}

// A read whose connection was just closed is retried.
func TestDo_readIsRepeated(t *testing.T) {
	t.Parallel()
	p := listen(t, vanishing)
	transport := to(t, p.address)
	require.Equal(t, "ok", ask(t, transport, request(t, http.MethodGet, "")))
	require.Equal(t, "ok", ask(t, transport, request(t, http.MethodGet, "")))
	_, asked := p.seen()
	require.Equal(t, []string{"GET ", "GET ", "GET "}, asked)
}

// A process call may have had its effect: it is sent once, with or without a body.
func TestDo_postIsNotRepeated(t *testing.T) {
	t.Parallel()
	for _, body := range []string{"", "body"} {
		p := listen(t, vanishing)
		transport := to(t, p.address)
		require.Equal(t, "ok", ask(t, transport, request(t, http.MethodGet, "")))
		_, err := transport.Do(t.Context(), request(t, http.MethodPost, body), soon()) //nolint:bodyclose // there is no answer
		require.ErrorIs(t, err, http1.ErrNoResponse)
		_, asked := p.seen()
		require.Equal(t, []string{"GET ", "POST " + body}, asked)
	}
}

// A service that closes each new connection is unavailable: requests are not retried endlessly.
func TestDo_newConnectionIsNotRepeated(t *testing.T) {
	t.Parallel()
	p := listen(t, func(_ int, on *peerConn) { on.readRequest() })
	_, err := to(t, p.address).Do(t.Context(), request(t, http.MethodGet, ""), soon()) //nolint:bodyclose // there is no answer
	require.ErrorIs(t, err, http1.ErrNoResponse)
	conns, _ := p.seen()
	require.Equal(t, 1, conns)
}
