package upstream

import (
	"context"
	"crypto/tls"
	"net"
	"net/url"
	"time"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/services/gateway/internal/roundtrip"
)

// Settings of the connections to a service.
const (
	// dialTimeout is short, because services are one hop away: what takes longer is not there.
	dialTimeout = 2 * time.Second
	// idleConnections is kept for each service: few enough to hold, and more than are under way at once.
	idleConnections = 512
	// idleTimeout is below that of the services' servers, so that it is we who close, and never they while we send.
	idleTimeout = 90 * time.Second
	// maxAnswerHeaderBytes bounds what a service that went wrong can make us hold.
	maxAnswerHeaderBytes = 64 << 10
)

// NewDialer returns what opens the connections to the services, both those with TLS and those without.
func NewDialer() *net.Dialer { return &net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second} }

// newTransport returns the connections to one service; nil for secured trusts the authorities of the system. HTTP/1.1 with many
// connections is faster inside a cluster than one multiplexed connection, and one slow answer does not block others.
func newTransport(address *url.URL, secured certificate.Dial) *roundtrip.Transport {
	dial := certificate.Dial(NewDialer().DialContext)
	if address.Scheme == "https" {
		if dial = secured; dial == nil {
			dial = (&tls.Dialer{NetDialer: NewDialer(), Config: &tls.Config{MinVersion: tls.VersionTLS12}}).DialContext
		}
	}
	target := hostPort(address)
	return roundtrip.New(roundtrip.Options{
		Dial:    func(ctx context.Context) (net.Conn, error) { return dial(ctx, "tcp", target) },
		MaxIdle: idleConnections, IdleTimeout: idleTimeout, MaxHeadBytes: maxAnswerHeaderBytes,
	})
}

// hostPort is where to connect to for an address without a path.
func hostPort(address *url.URL) string {
	if address.Port() != "" {
		return address.Host
	}
	return net.JoinHostPort(address.Hostname(), map[string]string{"http": "80", "https": "443"}[address.Scheme])
}
