package certificatetest

import (
	"context"
	"crypto/tls"
	"io"
	"net"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

// Proxy ends TLS in front of a server that has none.
type Proxy struct {
	// Address is where it listens, on 127.0.0.1.
	Address string

	mu          sync.Mutex
	certificate *tls.Certificate
}

// NewProxy starts a proxy in front of the server at an address, with a certificate of the authority for 127.0.0.1. greet,
// unless nil, is what a client and a server of the protocol say to each other before the handshake.
func NewProxy(t *testing.T, authority *Authority, server string, greet func(net.Conn) error) *Proxy {
	t.Helper()
	listener, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	p := &Proxy{Address: listener.Addr().String()}
	p.Renew(t, authority)
	var open sync.WaitGroup
	t.Cleanup(func() { _ = listener.Close(); open.Wait() })
	config := &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: func(*tls.ClientHelloInfo) (*tls.Certificate, error) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.certificate, nil
	}}
	open.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			open.Go(func() { serve(context.WithoutCancel(t.Context()), client, config, server, greet) })
		}
	})
	return p
}

// Renew gives the proxy a new certificate of an authority.
func (p *Proxy) Renew(t *testing.T, authority *Authority) {
	t.Helper()
	text, key := authority.Issue(t, "127.0.0.1")
	pair, err := tls.X509KeyPair(text, key)
	require.NoError(t, err)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.certificate = &pair
}

// serve copies between a client and the server until either closes. A handshake that fails ends the connection, as in a server.
func serve(ctx context.Context, client net.Conn, config *tls.Config, server string, greet func(net.Conn) error) {
	defer func() { _ = client.Close() }()
	if greet != nil && greet(client) != nil {
		return
	}
	secured := tls.Server(client, config)
	if secured.HandshakeContext(ctx) != nil {
		return
	}
	behind, err := (&net.Dialer{}).DialContext(ctx, "tcp", server)
	if err != nil {
		return
	}
	var done sync.WaitGroup
	done.Go(func() {
		_, _ = io.Copy(behind, secured)
		_ = behind.Close()
	})
	_, _ = io.Copy(secured, behind)
	_ = secured.Close()
	done.Wait()
}
