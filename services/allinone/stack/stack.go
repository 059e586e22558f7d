// Package stack runs all services in one process, as they run in production: each with its own
// telemetry, database pool and ports, and talking to the others over loopback HTTP and by nothing else.
// The launcher, the end-to-end tests and the benchmarks start the system with it.
//
// What it does not own: the servers of PostgreSQL and Redis, secrets that have to be kept, and data.
package stack

import (
	"context"
	"errors"
	"net"
	"strconv"
	"sync"
	"time"

	"sellerapi.dev/pkg/certificate"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/trust"
)

// free asks for any loopback port.
const free = "127.0.0.1:0"

// Config says what the services run on.
type Config struct {
	// DatabaseURL is a PostgreSQL in which the services may make their schemas. It may name several hosts, with
	// target_session_attrs=read-write.
	DatabaseURL secret.Text
	// Distributed spreads the tables over the nodes of the database, which has the extension for it. No policy guards them then.
	Distributed bool
	// RedisURL is a Redis of their own.
	RedisURL secret.Text
	// Secrets are what the data there were written with, or new ones.
	Secrets Secrets
	// ShownKeyFile is a file with a key that the page for developers shows when it is there; empty: none.
	ShownKeyFile string
	// Trusted are the keys by which the parties are recognised; the zero value is those that belong to the private ones of Secrets.
	Trusted trust.PublicKeys
	// Published, when set, is told where a port of a service answers and says what everyone is to call instead, as where several
	// instances of it stand behind one address.
	Published func(service, port, url string) string
	// PublicPort is the wanted port of the gateway; when it is taken, and when it is 0, any free one.
	PublicPort int
	// Telemetry is every service's; Logs in it says where their lines go.
	Telemetry telemetry.Config
	// Limits are those of each API key; the zero value is the published ones.
	Limits Limits
	// Claims is how claims are worked on; the zero value is the published way.
	Claims Claims
	// SweepInterval is the time between two looks for what has come due; 0 is as in production.
	SweepInterval time.Duration
	// ArchiveAfter is how long after its last change a record that has ended is archived; 0 is never.
	ArchiveAfter time.Duration
	// Periods are those of orders and claims; the zero value is the published ones.
	Periods Periods
	// TLS is spoken by all ports but those of the operations; the zero value is none.
	TLS certificate.Config
	// DrainWait is how long services answer on while load balancers learn that they go; none by default.
	DrainWait time.Duration
	// Timeout is how long a call between services and a statement may take, which on a busy machine is longer than in
	// production; 0 is as in production.
	Timeout time.Duration
}

// Limits are how much a key may ask for in a window. Zero values are the published limits.
type Limits struct {
	// Window is the length of the sliding window.
	Window time.Duration
	// Read and Process are calls, Rows is what reads return.
	Read, Process, Rows int
	// Timeout is how long a call waits for Redis, which on a busy machine is longer than in production.
	Timeout time.Duration
}

// Periods bound what customers may do, and when something happens by itself. Zero values are the published periods.
type Periods struct {
	// ConfirmAfter is how long after the delivery a purchase confirms itself, ConfirmAfterClaim how long after a claim at the earliest.
	ConfirmAfter, ConfirmAfterClaim time.Duration
	// Request is how long after the delivery claims may be requested, Inspection when a collected return passes by itself, Payment
	// how long a shortfall may stay unpaid.
	Request, Inspection, Payment time.Duration
}

// Claims is how the claims service works. Zero values are the published settings.
type Claims struct {
	// RefundURL is the payment provider that refunds are asked of, RefundKeys sign what it is asked. Without one,
	// refunds are paid at once out of nothing.
	RefundURL  string
	RefundKeys secret.Keys
	// Between, when set, is told where the orders service answers and says what the claims service is to call instead.
	Between func(ordersURL string) string
	// FailEnding and AccountEnding are the ends of numbers of claims whose refunds the embedded provider holds up.
	FailEnding, AccountEnding string
	// Timeout is how long an action waits for the orders service, which on a busy machine is longer
	// than in production.
	Timeout time.Duration
}

// Stack is the running system.
type Stack struct {
	// GatewayURL is the base URL of the public interface.
	GatewayURL string
	// KeysURL is the base URL of the gateway's RPC, RPCURLs those of the services behind it.
	KeysURL string
	RPCURLs map[operation.Service]string
	// MetricsURLs are the pages of metrics by service.
	MetricsURLs map[string]string

	plan    *plan
	running []*instance
	failed  chan error
	stop    sync.Once
	stopErr error
}

// Start migrates the schemas, gives each service a role of its own, starts the services and returns when all of them answer. ctx bounds the
// start only.
func Start(ctx context.Context, config Config) (*Stack, error) {
	keys, err := config.keys()
	if err != nil {
		return nil, err
	}
	plan := &plan{Config: config, keys: keys, publicURLs: map[operation.Service]string{}, rpcURLs: map[operation.Service]string{}}
	if err := plan.migrate(ctx); err != nil {
		return nil, err
	}
	if err := plan.prepare(ctx); err != nil {
		return nil, err
	}
	members := plan.members()
	s := &Stack{
		RPCURLs: plan.rpcURLs, MetricsURLs: map[string]string{}, plan: plan, failed: make(chan error, len(members)),
	}
	for _, member := range members {
		if err := s.start(ctx, member); err != nil {
			return nil, errors.Join(err, s.Stop())
		}
	}
	return s, nil
}

// start runs one service and waits until its ports answer. Later services may depend on earlier ones.
func (s *Stack) start(ctx context.Context, m member) error {
	i := run(ctx, m.name, m.run)
	s.running = append(s.running, i)
	go func() {
		<-i.ended
		s.failed <- i.err
	}()
	addresses, err := i.addresses(ctx)
	if err != nil {
		return err
	}
	s.MetricsURLs[m.name] = "http://" + addresses[service.OpsListener] + "/metrics"
	m.started(s.plan.published(m.name, "public", addresses), s.plan.published(m.name, "rpc", addresses), s)
	return nil
}

// Failed reports that a service ended unexpectedly, and why. The stack must be stopped then.
func (s *Stack) Failed() <-chan error { return s.failed }

// Stop ends the services, the gateway first, so that whatever it has accepted is still answered. It may
// be called again and again.
func (s *Stack) Stop() error {
	s.stop.Do(func() {
		var problems []error
		for n := len(s.running) - 1; n >= 0; n-- {
			problems = append(problems, s.running[n].stop())
		}
		s.stopErr = errors.Join(problems...)
	})
	return s.stopErr
}

// url is the base URL of a port that speaks TLS when the services do.
func (c Config) url(address string) string {
	if c.TLS.Dir != "" {
		return "https://" + address
	}
	return "http://" + address
}

// published is the base URL at which a port of a service is called.
func (c Config) published(name, port string, addresses service.Addresses) string {
	url := c.url(addresses[port])
	if c.Published != nil {
		url = c.Published(name, port, url)
	}
	return url
}

// publicAddress is the wanted port when it is free, else any.
func (c Config) publicAddress(ctx context.Context) string {
	if c.PublicPort == 0 {
		return free
	}
	wanted := net.JoinHostPort("127.0.0.1", strconv.Itoa(c.PublicPort))
	port, err := (&net.ListenConfig{}).Listen(ctx, "tcp", wanted)
	if err != nil {
		return free
	}
	_ = port.Close()
	return wanted
}
