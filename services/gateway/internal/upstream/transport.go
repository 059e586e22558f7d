package upstream

import (
	"net"
	"net/http"
	"sync"
	"time"

	"sellerapi.dev/pkg/certificate"
)

// Settings of the connections to a service.
const (
	// dialTimeout is short, because services are one hop away: what takes longer is not there.
	dialTimeout = 2 * time.Second
	// idleConnections is kept for each service. The two of the standard transport would open and close a connection for
	// nearly every request under load.
	idleConnections = 512
	// idleTimeout is below that of the services' servers, so that it is we who close, and never they while we send.
	idleTimeout = 90 * time.Second
	// maxAnswerHeaderBytes bounds what a service that went wrong can make us hold.
	maxAnswerHeaderBytes = 64 << 10
	// copyBytes is the size of the buffers through which answers are copied.
	copyBytes = 32 << 10
)

// NewDialer returns what opens the connections to the services, both those with TLS and those without.
func NewDialer() *net.Dialer { return &net.Dialer{Timeout: dialTimeout, KeepAlive: 15 * time.Second} }

// newTransport returns the connections to one service. HTTP/1.1 with many connections is faster inside a cluster than
// one multiplexed connection, and one slow answer holds up nobody else. Compression is left to the border: the inner hop
// is cheap, and the body must pass as it is.
func newTransport(secured certificate.Dial) *http.Transport {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(true)
	return &http.Transport{
		DialContext:            NewDialer().DialContext,
		DialTLSContext:         secured,
		Protocols:              protocols,
		MaxIdleConnsPerHost:    idleConnections,
		IdleConnTimeout:        idleTimeout,
		TLSHandshakeTimeout:    dialTimeout,
		MaxResponseHeaderBytes: maxAnswerHeaderBytes,
		DisableCompression:     true,
	}
}

// bufferPool lends the buffers through which answers are copied; it implements httputil.BufferPool.
type bufferPool struct{ pool sync.Pool }

func newBufferPool() *bufferPool {
	return &bufferPool{pool: sync.Pool{New: func() any { return new([copyBytes]byte) }}}
}

// Get implements httputil.BufferPool.
func (p *bufferPool) Get() []byte { return p.pool.Get().(*[copyBytes]byte)[:] }

// Put implements httputil.BufferPool.
func (p *bufferPool) Put(buffer []byte) {
	if len(buffer) == copyBytes {
		p.pool.Put((*[copyBytes]byte)(buffer))
	}
}
