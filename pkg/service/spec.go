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

// Listener is a port of a service.
type Listener struct {
	// Name is the listener's name in Addresses and logs, for example "public".
	Name string
	// Addr is host:port; port 0 takes any free one.
	Addr string
	// Handler serves the requests.
	Handler http.Handler
	// H2C also allows cleartext HTTP/2, which gRPC callers need.
	H2C bool
	// TLS, when set, is required instead of plain HTTP; H2C then allows HTTP/2 over TLS.
	TLS *tls.Config
	// WriteTimeout is the time from the end of the request header to the end of the response; it must be longer than the slowest
	// handler. 0 means DefaultWriteTimeout.
	WriteTimeout time.Duration
	// NotAwaited says that the end does not wait for requests in progress: the listener accepts until everything else has ended, and
	// its requests are cut off then.
	NotAwaited bool
	// ConnState, when set, is the hook of http.Server.
	ConnState func(net.Conn, http.ConnState)
}

// Check is a readiness check of a dependency.
type Check struct {
	// Name is the dependency's name in /readyz and the metric, for example "postgres".
	Name string
	// Probe returns nil when the dependency answers. Its context ends after a second. Its error is logged with the text, which may
	// contain addresses but no secrets; /readyz shows only the class, which an error can define with a method ProbeClass() string.
	// An error with a method ProbeImpairment() string says that the dependency answers but is impaired: the check succeeds, and
	// /readyz and the metric name the impairment.
	Probe func(ctx context.Context) error
	// Impairments are all names of impairments of the probe, so that the metric has each series from the start.
	Impairments []string
	// Once says that the dependency has to be reached once: after its first success the check always succeeds. Until then the
	// service probes it every second, independent of requests to /readyz.
	Once bool
	// Optional says that the service can serve requests without the dependency. /readyz then reports its failure with status 200.
	Optional bool
}

// NeededToStart returns the checks of a dependency that an instance has to reach once to become ready, so that a roll-out with
// wrong settings stops at its first pod. Later failures are reported, but the instance stays ready: otherwise all replicas
// would become not ready at once, and clients would get the load balancer's error instead of ours.
func NeededToStart(check Check) []Check {
	once := Check{Name: check.Name + "_at_start", Probe: check.Probe, Once: true}
	check.Optional = true
	return []Check{once, check}
}

// Addresses are the bound addresses by listener name.
type Addresses map[string]string

// Spec defines a service for Serve.
type Spec struct {
	// Config has the address of the operations listener and the periods of the shutdown.
	Config Config
	// Telemetry is shut down by Serve after everything else.
	Telemetry *telemetry.Telemetry
	// Listeners are the service's ports other than the operations listener.
	Listeners []Listener
	// Checks are the readiness checks.
	Checks []Check
	// OnReady, when set, is called with the actual addresses as soon as all listeners accept.
	OnReady func(Addresses)
	// Drain runs when the instance begins to drain, before it waits for load balancers to notice.
	Drain []func()
	// Close runs in reverse order after the last request has ended, also when Serve fails to start. All of them share
	// closeTimeout.
	Close []func(ctx context.Context) error
}
