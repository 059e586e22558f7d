// Package connections limits the connections of an address to an instance, so that no address can use up the file descriptors and
// memory of all others: an idle connection takes about 11 KiB for two minutes.
package connections

import (
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/gateway/internal/address"
)

// Limit counts connections by remote address. It is safe for concurrent use.
type Limit struct {
	maxOpen  int
	exempt   []netip.Prefix
	refusals prometheus.Counter

	mutex sync.Mutex
	open  map[netip.Prefix]int
}

// New returns a limit on the connections per address, or per IPv6 network of 64 bits; 0 is no limit. Addresses within exempt,
// those of proxies, are not counted.
func New(maxOpen int, exempt []netip.Prefix, tel *telemetry.Telemetry) *Limit {
	return &Limit{
		maxOpen: maxOpen, exempt: exempt, open: map[netip.Prefix]int{},
		refusals: tel.Counter(telemetry.ConnectionRefusals).WithLabelValues(),
	}
}

// State is a ConnState of http.Server. It closes a new connection that exceeds the limit.
func (l *Limit) State(connection net.Conn, state http.ConnState) {
	from, counted := l.network(connection)
	if !counted {
		return
	}
	switch state {
	case http.StateNew:
		if !l.enter(from) {
			l.refusals.Inc()
			_ = connection.Close() // the server handles it like any other closed connection
		}
	case http.StateClosed, http.StateHijacked:
		l.leave(from)
	case http.StateActive, http.StateIdle:
	}
}

// network returns the prefix by which the connection is counted; false if it is not counted.
func (l *Limit) network(connection net.Conn) (netip.Prefix, bool) {
	remote, ok := connection.RemoteAddr().(*net.TCPAddr)
	if !ok || l.maxOpen == 0 {
		return netip.Prefix{}, false
	}
	from := remote.AddrPort().Addr().Unmap()
	if slices.ContainsFunc(l.exempt, func(proxies netip.Prefix) bool { return proxies.Contains(from) }) {
		return netip.Prefix{}, false
	}
	return address.Network(from)
}

func (l *Limit) enter(from netip.Prefix) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	l.open[from]++
	return l.open[from] <= l.maxOpen
}

func (l *Limit) leave(from netip.Prefix) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if l.open[from]--; l.open[from] <= 0 {
		delete(l.open, from)
	}
}
