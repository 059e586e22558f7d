package service

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"slices"

	"connectrpc.com/connect"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/trust"
)

// ShellConfig holds the settings that every service has. Embed it in the service's own configuration.
type ShellConfig struct {
	Service  Config          `embed:""`
	Postgres postgres.Config `embed:""`
	RPC      rpc.Config      `embed:""`

	TrustedKeys trust.PublicKeys `name:"trusted-keys" env:"TRUSTED_KEYS" required:"" help:"Public keys of the parties, as PARTY=KEY for gateway, issuer and each service, separated by commas, each KEY base64 of 32 bytes; a party that changes its key has two."`

	// OnReady, when set, is told the real addresses once all ports answer; tests listen on port 0.
	OnReady func(Addresses) `kong:"-"`
}

// Validate returns an error when no key is trusted.
func (c *ShellConfig) Validate() error {
	if c.TrustedKeys.IsZero() {
		return fmt.Errorf("TRUSTED_KEYS: %w", trust.ErrNoPublicKeys)
	}
	return nil
}

// shell makes a configuration that embeds ShellConfig a Configuration.
func (c *ShellConfig) shell() *ShellConfig { return c }

// Configuration is a pointer to a struct that embeds ShellConfig, directly or within BackendConfig.
type Configuration interface{ shell() *ShellConfig }

// Shell is a service while it is put together: what has been opened for it, and what it serves.
type Shell struct {
	// Pool is open on the service's schema.
	Pool *postgres.Pool
	// Telemetry takes logs, metrics and spans.
	Telemetry *telemetry.Telemetry

	name    string
	config  *ShellConfig
	public  http.Handler
	conns   func(net.Conn, http.ConnState) // of the public port
	calls   *rpc.Mux
	checks  []Check
	secured *tls.Config // of public and rpc; nil for none
	closing []func(context.Context) error
	running []func(context.Context)
}

// Public sets the handler of the public port.
func (s *Shell) Public(handler http.Handler) { s.public = handler }

// PublicConnections has every connection to the public port told to a function, as net/http does. What it closes as it is told that
// the connection is new is not served.
func (s *Shell) PublicConnections(state func(net.Conn, http.ConnState)) { s.conns = state }

// RPC adds a generated RPC service, as its New…Handler function returns it:
//
//	s.RPC(ordersv1connect.NewIntakeHandler(intake, s.RPCOptions()))
func (s *Shell) RPC(path string, handler http.Handler) { s.calls.Handle(path, handler) }

// RPCOptions are what every generated RPC handler is made with. The recorders are told of each call that its caller may not make.
func (s *Shell) RPCOptions(recorders ...rpc.Recorder) connect.HandlerOption {
	return s.calls.Options(recorders...)
}

// Checks sets the dependencies of readiness; without it, the database is the only one.
func (s *Shell) Checks(checks ...Check) { s.checks = checks }

// DatabaseCheck is the readiness check of the pool.
func (s *Shell) DatabaseCheck() Check {
	return Check{Name: "postgres", Probe: postgres.Check(s.Pool), Impairments: []string{postgres.ImpairmentReadOnly}}
}

// Background adds what runs beside the ports until the service ends. At the end, the last one added ends first, and before
// anything that OnClose closes.
func (s *Shell) Background(run func(context.Context)) { s.running = append(s.running, run) }

// OnClose adds what is closed at the end, before the pool; the last one added first.
func (s *Shell) OnClose(closing func()) {
	s.closing = append(s.closing, func(context.Context) error { closing(); return nil })
}

// Run serves what build puts together until ctx ends: zero settings of the configuration get their defaults, those of
// [Config] excepted, all are validated, and everything ends in order. An error says why the service could not start or had
// to end.
func Run(ctx context.Context, name string, config Configuration, build func(*Shell) error) error {
	s := &Shell{name: name, config: config.shell()}
	if err := s.assemble(ctx, config, build); err != nil {
		s.abandon(ctx)
		return fmt.Errorf("start %s: %w", name, err)
	}
	s.Background(sweep.New(s.measureSizes(), s.Telemetry).Keep)
	for _, run := range s.running {
		s.closing = append(s.closing, beside(ctx, run))
	}
	return Serve(ctx, Spec{
		Name:      name,
		Config:    s.config.Service,
		Telemetry: s.Telemetry,
		Listeners: []Listener{
			{Name: "public", Addr: s.config.Service.Listen.Public, Handler: s.public, TLS: s.secured, ConnState: s.conns},
			{Name: "rpc", Addr: s.config.Service.Listen.RPC, Handler: s.calls, H2C: true, TLS: s.secured},
		},
		Checks:  s.checks,
		OnReady: s.config.OnReady,
		Close:   s.closing,
	})
}

// assemble opens what every service needs and lets the service build on it.
func (s *Shell) assemble(ctx context.Context, config Configuration, build func(*Shell) error) (err error) {
	if err := complete(config); err != nil {
		return err
	}
	if s.Telemetry, err = telemetry.New(ctx, s.name, Version(), s.config.Service.Telemetry); err != nil {
		return err
	}
	if s.secured, err = s.config.RPC.TLS.Server(s.Telemetry.Logger); err != nil {
		return err
	}
	if s.Pool, err = postgres.Open(ctx, s.config.Postgres, s.name, s.Telemetry); err != nil {
		return err
	}
	s.closing = append(s.closing, func(context.Context) error { s.Pool.Close(); return nil })
	if s.calls, err = rpc.NewMux(s.name, s.config.TrustedKeys, s.config.RPC, s.Telemetry); err != nil {
		return fmt.Errorf("TRUSTED_KEYS: %w", err)
	}
	s.checks = []Check{s.DatabaseCheck()}
	return build(s)
}

// complete gives zero settings their defaults and validates them all. Those of Config stay: in them zero is a choice.
func complete(config Configuration) error {
	given := config.shell().Service
	defaults.Fill(config)
	config.shell().Service = given
	return validate(config)
}

// abandon closes what was opened for a service that does not start.
func (s *Shell) abandon(ctx context.Context) {
	for _, closing := range slices.Backward(s.closing) {
		_ = closing(ctx) // why the service does not start is the news
	}
}

// beside runs something until ctx ends, and returns the function that ends it and waits for its end.
func beside(ctx context.Context, run func(context.Context)) func(context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		run(ctx)
	}()
	return func(context.Context) error {
		stop()
		<-ended
		return nil
	}
}
