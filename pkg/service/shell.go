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

	TrustedKeys trust.PublicKeys `name:"trusted-keys" env:"TRUSTED_KEYS" required:"" help:"Public keys of the parties, as PARTY=KEY for gateway, issuer and each service, separated by commas, each KEY base64 of 32 bytes; a party whose key is being rotated has two."`

	// OnReady, when set, is called with the actual addresses once all ports accept; tests listen on port 0.
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

// Shell is a service during its assembly: its open resources, and what it serves.
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
	lasting []func(context.Context)
	drains  []func()
}

// Public sets the handler of the public port.
func (s *Shell) Public(handler http.Handler) { s.public = handler }

// PublicConnections sets the http.Server.ConnState hook of the public port. A connection that the hook closes in http.StateNew
// is not served.
func (s *Shell) PublicConnections(state func(net.Conn, http.ConnState)) { s.conns = state }

// RPC adds a generated RPC service, as its New…Handler function returns it:
//
//	s.RPC(ordersv1connect.NewIntakeHandler(intake, s.RPCOptions()))
func (s *Shell) RPC(path string, handler http.Handler) { s.calls.Handle(path, handler) }

// RPCOptions returns the options for all generated RPC handlers. The recorders are called for each call that the caller is not
// allowed to make.
func (s *Shell) RPCOptions(recorders ...rpc.Recorder) connect.HandlerOption {
	return s.calls.Options(recorders...)
}

// Checks adds readiness checks. A service that adds none has only the check of the database.
func (s *Shell) Checks(checks ...Check) { s.checks = append(s.checks, checks...) }

// DatabaseCheck is the readiness check of the pool.
func (s *Shell) DatabaseCheck() Check {
	return Check{
		Name: "postgres", Probe: postgres.Check(s.Pool), Impairments: []string{
			postgres.ImpairmentReadOnly,
			postgres.ImpairmentRowSecurity,
		},
	}
}

// Background adds a function that runs in the background until the service ends. At the end, the last one added is stopped
// first, all before the functions of OnClose.
func (s *Shell) Background(run func(context.Context)) { s.running = append(s.running, run) }

// Lasting adds a function that runs in the background until the last call has been answered, unlike those of Background also
// while the instance drains. It is stopped like them, before the pool is closed.
func (s *Shell) Lasting(run func(context.Context)) { s.lasting = append(s.lasting, run) }

// OnClose adds a function that is called at the end, before the pool is closed; the last one added first.
func (s *Shell) OnClose(closing func()) {
	s.closing = append(s.closing, func(context.Context) error { closing(); return nil })
}

// OnDrain adds a function that is called when the instance begins to drain: requests that only wait should end then.
func (s *Shell) OnDrain(draining func()) { s.drains = append(s.drains, draining) }

// Run serves what build assembles until ctx is done: it sets the defaults of zero settings, except those of [Config], validates
// all, and shuts everything down in order. It returns an error if the service could not start or had to stop.
func Run(ctx context.Context, name string, config Configuration, build func(*Shell) error) error {
	s := &Shell{name: name, config: config.shell()}
	if err := s.assemble(ctx, config, build); err != nil {
		s.abandon(ctx)
		return fmt.Errorf("start %s: %w", name, err)
	}
	s.Background(sweep.New(s.measureSizes(), s.Telemetry).Keep)
	for _, run := range s.lasting {
		s.OnClose(beside(context.WithoutCancel(ctx), run))
	}
	for _, run := range s.running {
		s.OnClose(beside(ctx, run))
	}
	return Serve(ctx, Spec{
		Config:    s.config.Service,
		Telemetry: s.Telemetry,
		Listeners: append([]Listener{
			{Name: "public", Addr: s.config.Service.Listen.Public, Handler: s.public, TLS: s.secured, ConnState: s.conns},
			{Name: "rpc", Addr: s.config.Service.Listen.RPC, Handler: s.calls, H2C: true, TLS: s.secured},
		}, profiles(s.config.Service.Listen.Profiles)...),
		Checks:  s.checks,
		OnReady: s.config.OnReady,
		Drain:   s.drains,
		Close:   s.closing,
	})
}

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
	s.OnClose(s.Pool.Close)
	if s.calls, err = rpc.NewMux(s.name, s.config.TrustedKeys, s.config.RPC, s.Telemetry); err != nil {
		return fmt.Errorf("TRUSTED_KEYS: %w", err)
	}
	if err := build(s); err != nil {
		return err
	}
	if s.checks == nil {
		s.Checks(s.DatabaseCheck())
	}
	return nil
}

// complete sets the defaults of zero settings and validates all. Those of Config are unchanged, because zero is a valid value
// there.
func complete(config Configuration) error {
	given := config.shell().Service
	defaults.Fill(config)
	config.shell().Service = given
	return validate(config)
}

// abandon closes the resources of a service that does not start.
func (s *Shell) abandon(ctx context.Context) {
	for _, closing := range slices.Backward(s.closing) {
		_ = closing(ctx) // the error of the start is the one to return
	}
}
