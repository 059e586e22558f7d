package roundtrip_test

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

	"sellerapi.dev/services/gateway/internal/roundtrip"
)

// soon returns a deadline that tests reach only on purpose.
func soon() time.Time { return time.Now().Add(20 * time.Second) }

func to(tb testing.TB, address string, change ...func(*roundtrip.Options)) *roundtrip.Transport {
	tb.Helper()
	options := roundtrip.Options{
		Dial:    func(ctx context.Context) (net.Conn, error) { return (&net.Dialer{}).DialContext(ctx, "tcp", address) },
		MaxIdle: 10, IdleTimeout: time.Minute, MaxHeadBytes: 64 << 10,
	}
	for _, c := range change {
		c(&options)
	}
	transport := roundtrip.New(options)
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

func ask(t *testing.T, transport *roundtrip.Transport, r *http.Request) string {
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
func listen(t *testing.T, script func(number int, on *line)) *peer {
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
				script(number, &line{Conn: conn, reader: bufio.NewReader(conn), peer: p})
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

type line struct {
	net.Conn

	reader *bufio.Reader
	peer   *peer
}

func (l *line) hear() bool {
	r, err := http.ReadRequest(l.reader)
	if err != nil {
		return false
	}
	body, _ := io.ReadAll(r.Body)
	l.peer.mu.Lock()
	defer l.peer.mu.Unlock()
	l.peer.asked = append(l.peer.asked, r.Method+" "+string(body))
	return true
}

func (l *line) say(text string) { _, _ = io.WriteString(l, strings.ReplaceAll(text, "\n", "\r\n")) }

const ok = "HTTP/1.1 200 OK\nContent-Length: 2\n\nok"

func polite(_ int, on *line) {
	for on.hear() {
		on.say(ok)
	}
}
