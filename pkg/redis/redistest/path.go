package redistest

import (
	"context"
	"net"
	"net/url"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/secret"
)

// Path is a way to a server that a test can slow down, block or cut.
type Path struct {
	address url.URL
	server  string
	delay   atomic.Int64 // a time.Duration
	blocked atomic.Int64 // the number of calls of Block

	mu   sync.Mutex
	cut  bool
	open []net.Conn
}

// NewPath returns a path to the server of a URL. It ends with the test.
func NewPath(tb testing.TB, server secret.Text) *Path {
	tb.Helper()
	address, err := url.Parse(server.Reveal())
	require.NoError(tb, err)
	listener, err := (&net.ListenConfig{}).Listen(tb.Context(), "tcp", "127.0.0.1:0")
	require.NoError(tb, err)
	path := &Path{address: *address, server: address.Host}
	path.address.Host = listener.Addr().String()
	tb.Cleanup(func() { _ = listener.Close(); path.Cut() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			path.connect(tb.Context(), client)
		}
	}()
	return path
}

// URL returns the URL of the server by this path.
func (p *Path) URL() secret.Text { return secret.New(p.address.String()) }

// Delay makes each piece of data that clients send from now on arrive this much later.
func (p *Path) Delay(by time.Duration) { p.delay.Store(int64(by)) }

// Block leaves the connections of this moment open, but forwards nothing on them any more. New ones work.
func (p *Path) Block() { p.blocked.Add(1) }

// Cut closes all connections, and further ones as soon as they are opened.
func (p *Path) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = true
	for _, conn := range p.open {
		_ = conn.Close()
	}
	p.open = nil
}

// Mend lets connections be opened again after Cut.
func (p *Path) Mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cut = false
}

func (p *Path) connect(ctx context.Context, client net.Conn) {
	server, err := (&net.Dialer{}).DialContext(ctx, "tcp", p.server)
	if err != nil {
		_ = client.Close()
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.cut {
		_, _ = client.Close(), server.Close()
		return
	}
	p.open = append(p.open, client, server)
	blocked := p.blocked.Load()
	go p.forward(server, client, &p.delay, blocked)
	go p.forward(client, server, new(atomic.Int64), blocked)
}

// forward copies what is read, and the end of the connection, until Block is called for the next time.
func (p *Path) forward(to, from net.Conn, delay *atomic.Int64, blocked int64) {
	piece := make([]byte, 32<<10)
	for {
		n, err := from.Read(piece)
		switch {
		case p.blocked.Load() != blocked:
		case err != nil:
			_ = to.Close()
		default:
			<-time.After(time.Duration(delay.Load()))
			_, _ = to.Write(piece[:n])
		}
		if err != nil {
			return
		}
	}
}
