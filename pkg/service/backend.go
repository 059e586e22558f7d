package service

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"connectrpc.com/connect"
	"github.com/jackc/pgx/v5/pgxpool"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
)

// BackendConfig holds the settings that every service behind the gateway has. Embed it in the service's own configuration.
type BackendConfig struct {
	Service  Config          `embed:""`
	Postgres postgres.Config `embed:""`
	RPC      rpc.Config      `embed:""`
	Inbox    inbox.Config    `embed:""`

	PrincipalKeys secret.Keys `name:"principal-keys" env:"PRINCIPAL_KEYS,PRINCIPAL_KEY" required:"" help:"Keys by which the caller's identity from the gateway is recognised: base64 of at least 32 bytes, optionally followed by a comma and previous ones."`
	CursorKeys    secret.Keys `name:"cursor-keys" env:"CURSOR_KEYS,CURSOR_KEY" required:"" help:"Keys that sign list cursors: base64 of at least 32 bytes, optionally followed by a comma and previous ones."`

	// SweepInterval, when set, stands in for the intervals of all sweeps, so that tests need not wait for them.
	SweepInterval time.Duration `kong:"-"`

	// OnReady, when set, is told the real addresses once all ports answer; tests listen on port 0.
	OnReady func(Addresses) `kong:"-"`
}

// check reports every key that is missing, for callers that do not come by the command line.
func (c *BackendConfig) check() error {
	var problems []error
	if c.PrincipalKeys.IsZero() {
		problems = append(problems, fmt.Errorf("PRINCIPAL_KEYS: %w", secret.ErrNoKeys))
	}
	if c.CursorKeys.IsZero() {
		problems = append(problems, fmt.Errorf("CURSOR_KEYS: %w", secret.ErrNoKeys))
	}
	return errors.Join(problems...)
}

// Backend is a service behind the gateway while it is put together: what the shell has opened for it, and what it serves.
type Backend struct {
	// Pool is open on the service's schema.
	Pool *pgxpool.Pool
	// Telemetry takes logs, metrics and spans.
	Telemetry *telemetry.Telemetry
	// Box keeps the first answers to process calls.
	Box *inbox.Box
	// Cursors signs the cursors of lists.
	Cursors *paging.Signer

	owner    operation.Service
	config   BackendConfig
	handlers web.Handlers
	calls    *rpc.Mux
	closing  []func(context.Context) error
	sweeps   []sweep.Sweep
	gauges   []postgres.Gauge
}

// Operations sets the handlers of the operations that the service owns.
func (b *Backend) Operations(handlers web.Handlers) { b.handlers = handlers }

// RPC adds a generated RPC service, as its New…Handler function returns it:
//
//	b.RPC(ordersv1connect.NewIntakeHandler(intake, b.RPCOptions()))
func (b *Backend) RPC(path string, handler http.Handler) { b.calls.Handle(path, handler) }

// RPCOptions are what every generated RPC handler is made with.
func (b *Backend) RPCOptions() connect.HandlerOption { return b.calls.Options() }

// Sweep adds work that the service does by itself when it is due, beside the ports until the service ends.
func (b *Backend) Sweep(sweeps ...sweep.Sweep) { b.sweeps = append(b.sweeps, sweeps...) }

// Gauges adds metrics that statements bring up to date.
func (b *Backend) Gauges(gauges ...postgres.Gauge) { b.gauges = append(b.gauges, gauges...) }

// OnClose adds what is closed at the end, before the pool; the last one added first.
func (b *Backend) OnClose(closing func()) {
	b.closing = append(b.closing, func(context.Context) error { closing(); return nil })
}

// RunBackend serves the operations that owner owns, and what build adds, until ctx ends. It opens the pool on the schema of
// the service's name, keeps the record of first answers swept, and ends everything in order. An error says why the service
// could not start or had to end.
func RunBackend(ctx context.Context, owner operation.Service, config BackendConfig, build func(*Backend) error) error {
	b := &Backend{owner: owner, config: config}
	public, err := b.assemble(ctx, build)
	if err != nil {
		b.abandon(ctx)
		return fmt.Errorf("start %s: %w", owner, err)
	}
	closing := append([]func(context.Context) error{func(context.Context) error { b.Pool.Close(); return nil }}, b.closing...)
	for _, one := range slices.Concat(b.sweeps, []sweep.Sweep{b.Box.Sweep(), b.measure()}) {
		closing = append(closing, beside(ctx, b.sweeper(one).Keep))
	}
	return Serve(ctx, Spec{
		Name:      string(owner),
		Config:    config.Service,
		Telemetry: b.Telemetry,
		Listeners: []Listener{
			{Name: "public", Addr: config.Service.ListenPublic, Handler: public},
			{Name: "rpc", Addr: config.Service.ListenRPC, Handler: b.calls, H2C: true},
		},
		Checks: []Check{
			{Name: "postgres", Probe: postgres.Check(b.Pool), Impairments: []string{postgres.ImpairmentReadOnly}},
		},
		OnReady: config.OnReady,
		Close:   closing,
	})
}

// assemble opens what every service needs, lets the service build on it, and returns the handler of the public port.
func (b *Backend) assemble(ctx context.Context, build func(*Backend) error) (http.Handler, error) {
	if err := b.config.check(); err != nil {
		return nil, err
	}
	var err error
	if b.Telemetry, err = telemetry.New(ctx, string(b.owner), Version(), b.config.Service.Telemetry); err != nil {
		return nil, err
	}
	if b.Pool, err = postgres.Open(ctx, b.config.Postgres, string(b.owner), b.Telemetry); err != nil {
		return nil, err
	}
	b.Box = inbox.New(b.Pool, b.config.Inbox)
	if b.Cursors, err = paging.NewSigner(b.config.CursorKeys.Current(), b.config.CursorKeys.Previous()...); err != nil {
		return nil, err
	}
	callers, err := principal.NewSigner(b.config.PrincipalKeys.Current(), b.config.PrincipalKeys.Previous()...)
	if err != nil {
		return nil, err
	}
	if b.calls, err = rpc.NewMux(b.config.RPC, b.Telemetry); err != nil {
		return nil, err
	}
	if err := build(b); err != nil {
		return nil, err
	}
	engine := web.NewEngine(web.Options{Service: string(b.owner), Telemetry: b.Telemetry})
	return engine, web.RegisterOperations(engine, callers, operation.Of(b.owner), b.handlers) //nolint:contextcheck // handlers get their context with each request
}

// sweeper runs a sweep.
func (b *Backend) sweeper(s sweep.Sweep) *sweep.Sweeper {
	if b.config.SweepInterval > 0 {
		s.Interval = b.config.SweepInterval
	}
	return sweep.New(s, b.Telemetry)
}

// gaugeInterval is the time between two looks at the gauges, less than that between two scrapes.
const gaugeInterval = 10 * time.Second

// measure is the sweep for which every gauge is due every time.
func (b *Backend) measure() sweep.Sweep {
	gauges := slices.Concat(b.gauges, b.Box.Gauges())
	items := make([]sweep.Item, 0, len(gauges))
	for _, gauge := range gauges {
		items = append(items, sweep.Item{
			Key: gauge.Metric.Name, Do: func(ctx context.Context) error { return gauge.Set(ctx, b.Pool, b.Telemetry) },
		})
	}
	return sweep.Sweep{
		Name: "measure", Interval: gaugeInterval,
		Find: func(context.Context, int) ([]sweep.Item, error) { return slices.Clone(items), nil },
	}
}

// abandon closes what was opened for a service that does not start.
func (b *Backend) abandon(ctx context.Context) {
	for _, closing := range slices.Backward(b.closing) {
		_ = closing(ctx) // why the service does not start is the news
	}
	if b.Pool != nil {
		b.Pool.Close()
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
