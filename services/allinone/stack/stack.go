// Package stack runs all services in one process as they run in production: each with its own telemetry, database pool and
// ports, and communicating with the others over loopback HTTP only. The launcher, the end-to-end tests and the benchmarks
// start the system with it.
//
// It does not own the PostgreSQL and Redis servers, secrets that have to be kept, or data.
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

const free = "127.0.0.1:0"

// Config describes what the services run on.
type Config struct {
	// DatabaseURL is a PostgreSQL in which the services may create their schemas. It may name several hosts, with
	// target_session_attrs=read-write.
	DatabaseURL secret.Text
	// Distributed distributes the tables over the nodes of the database, which must have the extension for it. The tables
	// are then not protected by row policies.
	Distributed bool
	// RedisURL is a Redis for these services alone.
	RedisURL secret.Text
	// Secrets are the secrets with which existing data was written, or new ones.
	Secrets Secrets
	// ShownKeyFile is a file with a key that the page for developers shows if the file exists; empty means none.
	ShownKeyFile string
	// Trusted are the public keys by which the parties are recognised; the zero value stands for those that belong to the
	// private keys in Secrets.
	Trusted trust.PublicKeys
	// Published, when set, receives the URL of a service's port and returns the URL to call instead, as when several
	// instances of the service share one address.
	Published func(service, port, url string) string
	// PublicPort is the preferred port of the gateway. Any free one is used when it is taken or 0.
	PublicPort int
	// Telemetry is the telemetry configuration of every service; its Logs receives their log lines.
	Telemetry telemetry.Config
	// Limits are the rate limits of each API key; the zero value stands for the published ones.
	Limits Limits
	// Sandbox starts the sandbox beside the services.
	Sandbox bool
	// Claims configures the claims service; the zero value stands for the published settings.
	Claims Claims
	// RequestLog is "on" or "off"; empty stands for the published setting.
	RequestLog string
	// SweepInterval is the time between two sweeps for records that have come due; 0 stands for the interval of production.
	SweepInterval time.Duration
	// Periods are the periods of orders and claims; the zero value stands for the published ones.
	Periods Periods
	// TLS is used by all ports except the operations port; the zero value means no TLS.
	TLS certificate.Config
	// DrainWait is how long services keep answering while load balancers notice that they shut down; 0 by default.
	DrainWait time.Duration
	// Timeout bounds a call between services and a database statement, which on a busy machine take longer than in
	// production; 0 stands for the timeouts of production.
	Timeout time.Duration
}

// Limits are the rate limits of a key. Zero values stand for the published limits.
type Limits struct {
	// Window is the length of the sliding window.
	Window time.Duration
	// Read and Process are the allowed calls, Rows the rows that reads may return.
	Read, Process, Rows int
	// Timeout is how long a call waits for Redis, which on a busy machine takes longer than in production.
	Timeout time.Duration
}

// Periods bound what customers may do, and say when changes happen automatically. Zero values stand for the published periods.
type Periods struct {
	// ConfirmAfter is how long after the delivery a purchase is confirmed automatically, ConfirmAfterClaim how long after a
	// claim at the earliest.
	ConfirmAfter, ConfirmAfterClaim time.Duration
	// Request is how long after the delivery claims may be requested, Inspection when a collected return passes
	// automatically, Payment how long a shortfall may stay unpaid.
	Request, Inspection, Payment time.Duration
}

// Claims are the settings of the claims service. Zero values stand for the published settings.
type Claims struct {
	// RefundURL is the payment provider from which refunds are requested, RefundKeys sign the requests. Without a URL, the
	// embedded provider pays refunds at once.
	RefundURL  string
	RefundKeys secret.Keys
	// FailEnding and AccountEnding are the endings of the numbers of claims whose refunds the embedded provider fails or
	// holds for an account.
	FailEnding, AccountEnding string
	// Timeout is how long an action waits for the orders service, which on a busy machine takes longer than in production.
	Timeout time.Duration
}

// Stack is a running system.
type Stack struct {
	// GatewayURL is the base URL of the public interface.
	GatewayURL string
	// KeysURL is the base URL of the gateway's RPC, RPCURLs are those of the services behind it.
	KeysURL string
	RPCURLs map[operation.Service]string
	// MetricsURLs are the URLs of the metrics pages by service.
	MetricsURLs map[string]string

	plan    *plan
	running []*instance
	failed  chan error
	stop    sync.Once
	stopErr error
}

// Start migrates the schemas, gives each service a role of its own, starts the services and returns when all of them
// answer. ctx bounds the start only.
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

// start starts a service and waits until its ports answer. Later services may depend on earlier ones.
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

// Failed returns a channel that receives the error of a service that ended unexpectedly. The stack must then be stopped.
func (s *Stack) Failed() <-chan error { return s.failed }

// Stop stops the services, the gateway first, so that requests that it has accepted are still answered. It may be called
// repeatedly.
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

// url returns the base URL of a port, with https when the services use TLS.
func (c Config) url(address string) string {
	if c.TLS.Dir != "" {
		return "https://" + address
	}
	return "http://" + address
}

func (c Config) published(name, port string, addresses service.Addresses) string {
	url := c.url(addresses[port])
	if c.Published != nil {
		url = c.Published(name, port, url)
	}
	return url
}

// publicAddress returns the address with the preferred port if that is free, else one with any free port.
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
