package http1_test

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/gateway/internal/upstream/http1"
)

// soon returns a deadline that tests reach only on purpose.
func soon() time.Time { return time.Now().Add(20 * time.Second) }

func to(tb testing.TB, address string, change ...func(*http1.Options)) *http1.Transport {
	tb.Helper()
	options := http1.Options{
		Dial:    func(ctx context.Context) (net.Conn, error) { return (&net.Dialer{}).DialContext(ctx, "tcp", address) },
		MaxIdle: 10, IdleTimeout: time.Minute, MaxHeadBytes: 64 << 10,
	}
	for _, c := range change {
		c(&options)
	}
	transport := http1.New(options)
	tb.Cleanup(transport.CloseIdle)
	return transport
}

func request(t *testing.T, method, body string) *http.Request {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, "http://service/path?a=b", strings.NewReader(body))
	require.NoError(t, err)
	if body == "" {
		r.Body = http.NoBody
	}
	return r
}

func whole(t *testing.T, response *http.Response) string {
	t.Helper()
	body, err := io.ReadAll(response.Body)
	require.NoError(t, err)
	require.NoError(t, response.Body.Close())
	return string(body)
}

func ask(t *testing.T, transport *http1.Transport, r *http.Request) string {
	t.Helper()
	response, err := transport.Do(t.Context(), r, soon())
	require.NoError(t, err)
	return whole(t, response)
}

type peer struct {
	address string

	mu    sync.Mutex
	conns int
	asked []string // method and body of each request, as far as it was read
}

// listen runs script on each connection, with its number from 1 on, and closes the connection when it returns.
func listen(t *testing.T, script func(number int, on *peerConn)) *peer {
	t.Helper()
	port, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &peer{address: port.Addr().String()}
	var running sync.WaitGroup
	t.Cleanup(func() { _ = port.Close(); running.Wait() })
	running.Go(func() {
		for {
			conn, err := port.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
			p.mu.Lock()
			p.conns++
			number := p.conns
			p.mu.Unlock()
			running.Go(func() {
				defer func() { _ = conn.Close() }()
				script(number, &peerConn{Conn: conn, reader: bufio.NewReader(conn), peer: p})
			})
		}
	})
	return p
}

func (p *peer) seen() (conns int, asked []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.conns, append([]string(nil), p.asked...)
}

type peerConn struct {
	net.Conn

	reader *bufio.Reader
	peer   *peer
}

func (c *peerConn) readRequest() bool {
	r, err := http.ReadRequest(c.reader)
	if err != nil {
		return false
	}
	body, _ := io.ReadAll(r.Body)
	c.peer.mu.Lock()
	defer c.peer.mu.Unlock()
	c.peer.asked = append(c.peer.asked, r.Method+" "+string(body))
	return true
}

func (c *peerConn) write(text string) {
	_, _ = io.WriteString(c, strings.ReplaceAll(text, "\n", "\r\n"))
}

const ok = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok"

func polite(_ int, on *peerConn) {
	for on.readRequest() {
		on.write(ok)
	}
}
