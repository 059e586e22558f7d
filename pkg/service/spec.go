package service

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"time"

	"sellerapi.dev/pkg/telemetry"
)

// OpsListener is the name of the operations listener in Addresses.
const OpsListener = "ops"

// Listener is a port that a service answers on.
type Listener struct {
	// Name is the listener's name in Addresses and logs, for example "public".
	Name string
	// Addr is host:port; port 0 takes any free one.
	Addr string
	// Handler answers.
	Handler http.Handler
	// H2C also allows HTTP/2 without TLS, which gRPC callers need.
	H2C bool
	// TLS, when set, is spoken instead of plain HTTP; H2C then allows HTTP/2 within it.
	TLS *tls.Config
	// WriteTimeout is the time from the end of the request's header to the end of the answer; it must be above that of the
	// longest handler. 0 means DefaultWriteTimeout.
	WriteTimeout time.Duration
	// ConnState, when set, is told of every connection as net/http does.
	ConnState func(net.Conn, http.ConnState)
}

// Check is a dependency that readiness looks at.
type Check struct {
	// Name is the dependency's name in /readyz and the metric, for example "postgres".
	Name string
	// Probe returns nil when the dependency answers. Its context ends after a second. What it returns is logged with its
	// text, which may hold addresses and no secrets; /readyz shows its class alone, for an error with a method
	// ProbeClass() string what that says. An error with a method ProbeImpairment() string says that the dependency answers and
	// cannot do all of its work: the check stays well, and /readyz and the metric name the impairment.
	Probe func(ctx context.Context) error
	// Impairments are the names that the probe's errors may give, for the metric to show each from the start.
	Impairments []string
	// Once says that the dependency has to be reached once: after its first success the check stays well. Until then the
	// service probes by itself, every second, so that nothing depends on whether someone has asked /readyz.
	Once bool
	// Optional says that the service can take requests without the dependency. /readyz then names it as missing and
	// stays 200.
	Optional bool
}

// NeededToStart are the checks of a dependency that an instance has to reach once to become ready, so that a roll-out with
// wrong settings stops at its first pod. After that it is named when it is away, but the instance stays ready: all replicas
// would turn not ready in the same second, and clients would get the words of the load balancer instead of ours.
func NeededToStart(check Check) []Check {
	once := Check{Name: check.Name + "_at_start", Probe: check.Probe, Once: true}
	check.Optional = true
	return []Check{once, check}
}

// Addresses are the addresses that were bound, by listener name.
type Addresses map[string]string

// Spec is what Serve runs.
type Spec struct {
	// Name is the service's name.
	Name string
	// Config holds the listening address of the operations listener and the times of the end.
	Config Config
	// Telemetry is shut down by Serve after everything else.
	Telemetry *telemetry.Telemetry
	// Listeners are the service's ports beside the operations listener.
	Listeners []Listener
	// Checks are the dependencies of readiness.
	Checks []Check
	// OnReady, when set, is told the real addresses as soon as all listeners accept.
	OnReady func(Addresses)
	// Close runs in reverse order after the last request has ended, also when Serve fails to start. All of them share
	// closeTimeout.
	Close []func(ctx context.Context) error
}
