package upstream

import (
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"time"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/services/gateway/internal/upstream/http1"
)

const (
	// dialTimeout is short, because services are one hop away: a slower connection means that the service is unavailable.
	dialTimeout = 2 * time.Second
	// idleConnections is the maximum per service: few enough to hold, and more than are in use at once.
	idleConnections = 512
	// idleTimeout is below that of the services' servers, so that the gateway closes idle connections, and never a service during a
	// request.
	idleTimeout = 90 * time.Second
	// maxAnswerHeaderBytes limits the memory that a faulty service can use.
	maxAnswerHeaderBytes = 64 << 10
)

// NewDialer returns the dialer for the services, with and without TLS.
func NewDialer() *net.Dialer { return &net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second} }

// newTransport returns the connections to one service; nil for secured uses the system's root certificates. HTTP/1.1 with many
// connections is faster inside a cluster than one multiplexed connection, and one slow answer does not block others.
func newTransport(address *url.URL, secured certificate.Dial) *http1.Transport {
	dial := certificate.Dial(NewDialer().DialContext)
	if address.Scheme == "https" {
		if dial = secured; dial == nil {
			dial = (&tls.Dialer{NetDialer: NewDialer(), Config: &tls.Config{MinVersion: tls.VersionTLS12}}).DialContext
		}
	}
	target := hostPort(address)
	return http1.New(http1.Options{
		Dial:    func(ctx context.Context) (net.Conn, error) { return dial(ctx, "tcp", target) },
		MaxIdle: idleConnections, IdleTimeout: idleTimeout, MaxHeadBytes: maxAnswerHeaderBytes,
	})
}

func hostPort(address *url.URL) string {
	if address.Port() != "" {
		return address.Host
	}
	return net.JoinHostPort(address.Hostname(), map[string]string{"http": "80", "https": "443"}[address.Scheme])
}
