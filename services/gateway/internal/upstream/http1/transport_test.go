package http1_test

import (
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/gateway/internal/upstream/http1"
)

// A connection serves one request after the other, whatever the form of the responses.
func TestDo_connectionIsUsedAgain(t *testing.T) {
	t.Parallel()
	answers := []string{
		ok, "HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n2\nok\n0\n\n",
		"HTTP/1.1 200 OK\nTransfer-Encoding: chunked\nTrailer: X-End\n\n2\nok\n0\nX-End: 1\n\n",
		"HTTP/1.1 100 Continue\n\nHTTP/1.1 103 Early Hints\nLink: x\n\n" + ok, ok,
	}
	p := listen(t, func(_ int, on *peerConn) {
		for _, answer := range answers {
			if !on.readRequest() {
				return
			}
			on.write(answer)
		}
	})
	transport := to(t, p.address)
	for range answers {
		require.Equal(t, "ok", ask(t, transport, request(t, http.MethodPost, "body")))
	}
	conns, asked := p.seen()
	require.Equal(t, 1, conns)
	require.Equal(t, []string{"POST body", "POST body", "POST body", "POST body", "POST body"}, asked)
}

// A connection in an unclear state is not reused: the next request could get another's response.
func TestDo_noReuse(t *testing.T) {
	t.Parallel()
	for name, answer := range map[string]string{
		"Connection: close":         "HTTP/1.1 200 OK\nConnection: close\nContent-Length: 2\n\nok",
		"HTTP/1.0":                  "HTTP/1.0 200 OK\nContent-Length: 2\n\nok",
		"surplus response":          ok + "HTTP/1.1 200 OK\nContent-Length: 5\n\nwrong",
		"switched protocol":         "HTTP/1.1 101 Switching Protocols\nConnection: Upgrade\nUpgrade: x\n\n",
		"response without a length": "HTTP/1.1 200 OK\n\nok",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := listen(t, func(number int, on *peerConn) {
				for on.readRequest() {
					if number > 1 {
						on.write(ok)
						continue
					}
					on.write(answer)
					if name == "response without a length" {
						return
					}
				}
			})
			transport := to(t, p.address)
			ask(t, transport, request(t, http.MethodGet, ""))
			require.Equal(t, "ok", ask(t, transport, request(t, http.MethodPost, "second")))
			conns, _ := p.seen()
			require.Equal(t, 2, conns)
		})
	}
}

// Bytes that arrive on an idle connection are not a response to the next request.
func TestDo_unaskedBytes(t *testing.T) {
	t.Parallel()
	said := make(chan struct{})
	p := listen(t, func(number int, on *peerConn) {
		for on.readRequest() {
			on.write(ok)
			if number == 1 {
				<-said
				on.write("HTTP/1.1 200 OK\nContent-Length: 5\n\nwrong")
				said <- struct{}{}
			}
		}
	})
	transport := to(t, p.address)
	require.Equal(t, "ok", ask(t, transport, request(t, http.MethodGet, "")))
	said <- struct{}{}
	<-said
	require.Equal(t, "ok", ask(t, transport, request(t, http.MethodGet, "")))
}

// The unread rest of a response does not become the beginning of the next one.
func TestDo_answerLeftUnread(t *testing.T) {
	t.Parallel()
	p := listen(t, polite)
	transport := to(t, p.address)
	response, err := transport.Do(t.Context(), request(t, http.MethodGet, ""), soon())
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	_, err = response.Body.Read(make([]byte, 1))
	require.ErrorIs(t, err, http.ErrBodyReadAfterClose)
	require.Equal(t, "ok", ask(t, transport, request(t, http.MethodGet, "")))
	conns, _ := p.seen()
	require.Equal(t, 2, conns)
}

// A service that is being rolled out closes its idle connections. The next call must not fail because of that, especially not a
// POST.
func TestDo_idleConnectionClosed(t *testing.T) {
	t.Parallel()
	closed := make(chan struct{}, 2)
	p := listen(t, func(_ int, on *peerConn) {
		on.readRequest()
		on.write(ok)
		_ = on.Close()
		closed <- struct{}{}
	})
	transport := to(t, p.address)
	require.Equal(t, "ok", ask(t, transport, request(t, http.MethodPost, "first")))
	<-closed
	require.Equal(t, "ok", ask(t, transport, request(t, http.MethodPost, "second")))
	_, asked := p.seen()
	require.Equal(t, []string{"POST first", "POST second"}, asked)
}

func TestDo_headTooLong(t *testing.T) {
	t.Parallel()
	for name, head := range map[string]string{
		"one large field":              "X-Long: " + strings.Repeat("x", 80<<10),
		"many informational responses": strings.Repeat("X: y\n\nHTTP/1.1 103 Early Hints\n", 4000) + "X: y",
	} {
		p := listen(t, func(_ int, on *peerConn) {
			on.readRequest()
			on.write("HTTP/1.1 103 Early Hints\n" + head + "\n\n" + ok)
		})
		_, err := to(t, p.address).Do(t.Context(), request(t, http.MethodGet, ""), soon()) //nolint:bodyclose // there is no answer
		require.ErrorContains(t, err, "too long", name)
		require.NotErrorIs(t, err, http1.ErrNoResponse, name)
	}
}

// The limit applies to heads: a body may have any length.
func TestDo_longBody(t *testing.T) {
	t.Parallel()
	body := strings.Repeat("0123456789abcdef", 64<<10)
	p := listen(t, func(_ int, on *peerConn) {
		for on.readRequest() {
			on.write("HTTP/1.1 200 OK\nContent-Length: " + strconv.Itoa(len(body)) + "\n\n" + body)
		}
	})
	transport := to(t, p.address)
	for range 2 {
		require.Equal(t, body, ask(t, transport, request(t, http.MethodPost, body)))
	}
	conns, asked := p.seen()
	require.Equal(t, 1, conns)
	require.Equal(t, []string{"POST " + body, "POST " + body}, asked)
}

// The response of a service that refuses a large body without reading it is received, and its connection is not reused.
func TestDo_answerBeforeTheBody(t *testing.T) {
	t.Parallel()
	read := make(chan struct{})
	p := listen(t, func(_ int, on *peerConn) {
		on.write("HTTP/1.1 413 Content Too Large\nContent-Length: 2\n\nno")
		<-read
	})
	transport := to(t, p.address)
	response, err := transport.Do(t.Context(), request(t, http.MethodPost, strings.Repeat("x", 16<<20)), soon())
	require.NoError(t, err)
	require.Equal(t, http.StatusRequestEntityTooLarge, response.StatusCode)
	require.Equal(t, "no", whole(t, response))
	close(read)
}

func TestDo_notDialled(t *testing.T) {
	t.Parallel()
	failed := errors.New("no way")
	transport := to(t, "", func(o *http1.Options) {
		o.Dial = func(context.Context) (net.Conn, error) { return nil, failed }
	})
	_, err := transport.Do(t.Context(), request(t, http.MethodGet, ""), soon()) //nolint:bodyclose // there is no answer
	require.ErrorIs(t, err, failed)
	require.ErrorIs(t, err, http1.ErrNoResponse)
}

// Connections that are no longer needed are closed, and no more than configured are kept.
func TestIdle_closed(t *testing.T) {
	t.Parallel()
	var open sync.WaitGroup
	waiting := make(chan struct{})
	p := listen(t, func(_ int, on *peerConn) {
		defer open.Done()
		on.readRequest()
		waiting <- struct{}{}
		on.write(ok)
		on.readRequest()
	})
	transport := to(t, p.address, func(o *http1.Options) { o.MaxIdle, o.IdleTimeout = 2, 10*time.Millisecond })
	var asking sync.WaitGroup
	for range 4 {
		open.Add(1)
		asking.Go(func() {
			response, err := transport.Do(t.Context(), request(t, http.MethodGet, ""), soon())
			if err == nil {
				_, err = io.Copy(io.Discard, response.Body)
				_ = response.Body.Close()
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	for range 4 {
		<-waiting
	}
	asking.Wait()
	open.Wait() // every connection was closed
}

// With TLS, an idle connection is checked below the encryption.
func TestDo_tls(t *testing.T) {
	t.Parallel()
	conns := make(chan struct{}, 10)
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		_, _ = w.Write(body)
	}))
	server.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			conns <- struct{}{}
		}
	}
	server.StartTLS()
	t.Cleanup(server.Close)
	config := server.Client().Transport.(*http.Transport).TLSClientConfig
	transport := to(t, "", func(o *http1.Options) {
		o.Dial = func(ctx context.Context) (net.Conn, error) {
			return (&tls.Dialer{Config: config}).DialContext(ctx, "tcp", server.Listener.Addr().String())
		}
	})
	for _, body := range []string{"a", strings.Repeat("b", 100_000), "c"} {
		require.Equal(t, body, ask(t, transport, request(t, http.MethodPost, body)))
	}
	require.Len(t, conns, 1)
	server.CloseClientConnections()
	require.Equal(t, "d", ask(t, transport, request(t, http.MethodPost, "d")))
	require.Len(t, conns, 2)
}

// Responses are matched to their requests however many are in progress.
func TestDo_manyAtOnce(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(w, r.Body)
	}))
	t.Cleanup(server.Close)
	transport := to(t, server.Listener.Addr().String())
	var asking sync.WaitGroup
	for n := range 16 {
		asking.Go(func() {
			for i := range 50 {
				body := strconv.Itoa(n*1000 + i)
				response, err := transport.Do(t.Context(), request(t, http.MethodPost, body), soon())
				if err != nil {
					t.Error(err)
					return
				}
				got, err := io.ReadAll(response.Body)
				_ = response.Body.Close()
				if err != nil || string(got) != body {
					t.Errorf("%q in place of %q: %v", got, body, err)
				}
			}
		})
	}
	asking.Wait()
}
