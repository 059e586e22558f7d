// Package claims is the service of cancel, return and exchange claims, from the request to the refund. README.md says what it
// owns and where to look.
package claims

import (
	"context"
	"fmt"
	"net/http"

	"github.com/jackc/pgx/v5/pgxpool"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	"sellerapi.dev/services/claims/internal/intake"
	"sellerapi.dev/services/claims/internal/jobs"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/refund"
	"sellerapi.dev/services/claims/internal/rest"
	"sellerapi.dev/services/claims/internal/saga"
	"sellerapi.dev/services/claims/internal/store"
)

// name is the service's name in logs, spans and metrics, and that of its schema.
const name = "claims"

// Run serves until ctx ends. An error says why the service could not start or had to end.
func Run(ctx context.Context, config Config) error {
	if err := config.check(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	tel, err := telemetry.New(ctx, name, service.Version(), config.Service.Telemetry)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	config.Postgres.Settings = store.Settings()
	pool, err := postgres.Open(ctx, config.Postgres, name, tel)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	p := parts{config: config, pool: pool, tel: tel, box: inbox.New(pool, config.Inbox)}
	if err := p.build(); err != nil { //nolint:contextcheck // handlers get their context with each request
		pool.Close()
		return fmt.Errorf("start %s: %w", name, err)
	}
	p.runner.Start(ctx)
	return service.Serve(ctx, service.Spec{
		Name:      name,
		Config:    config.Service,
		Telemetry: tel,
		Listeners: []service.Listener{
			{Name: "public", Addr: config.Service.ListenPublic, Handler: p.public},
			{Name: "rpc", Addr: config.Service.ListenRPC, Handler: p.calls, H2C: true},
		},
		Checks: []service.Check{
			{Name: "postgres", Probe: postgres.Check(pool), Impairments: []string{postgres.ImpairmentReadOnly}},
		},
		OnReady: config.OnReady,
		// The last one first: no more jobs, no more sweeps, then what they use.
		Close: []func(context.Context) error{
			func(context.Context) error { pool.Close(); return nil },
			func(context.Context) error { p.lines.Close(); p.provider.Close(); return nil },
			background(ctx, func(ctx context.Context) { p.box.KeepSwept(ctx, tel) }),
			background(ctx, p.sweeper.Keep),
			p.runner.Stop,
		},
	})
}

// parts is what an instance is put together from.
type parts struct {
	config Config
	pool   *pgxpool.Pool
	tel    *telemetry.Telemetry
	box    *inbox.Box

	lines    *lines.Client
	provider refund.Provider
	runner   *jobs.Runner
	sweeper  *jobs.Sweeper

	public, calls http.Handler
}

// build puts the parts together.
func (p *parts) build() error {
	p.config.Jobs.PollOnly = p.config.Postgres.TransactionPooling
	planner, err := jobs.NewPlanner(p.pool, p.config.Jobs, p.tel)
	if err != nil {
		return err
	}
	claims := store.New(p.pool, planner.Follow)
	if p.lines, err = lines.New(p.config.Orders, p.config.RPC, name, p.tel); err != nil {
		return err
	}
	if p.provider, err = refund.Open(p.config.Refund); err != nil {
		return err
	}
	carried := saga.New(saga.Options{
		Claims: claims, Lines: p.lines, Provider: p.provider, Telemetry: p.tel, Periods: p.config.Periods.periods(),
		Inline: p.config.Inline,
	})
	if p.runner, err = jobs.NewRunner(p.pool, carried, p.config.Jobs, p.tel); err != nil {
		return err
	}
	p.sweeper = jobs.NewSweeper(p.pool, claims, carried, p.config.Jobs, p.tel)
	if err := p.publicPort(claims, carried); err != nil {
		return err
	}
	mux, err := rpc.NewMux(p.config.RPC, p.tel)
	if err != nil {
		return err
	}
	mux.Handle(claimsv1connect.NewIntakeHandler(intake.New(carried, claims), mux.Options()))
	p.calls = mux
	return nil
}

// publicPort makes the handler of the public paths.
func (p *parts) publicPort(claims *store.Store, carried *saga.Saga) error {
	callers, err := principal.NewSigner(p.config.PrincipalKeys.Current(), p.config.PrincipalKeys.Previous()...)
	if err != nil {
		return err
	}
	cursors, err := paging.NewSigner(p.config.CursorKeys.Current(), p.config.CursorKeys.Previous()...)
	if err != nil {
		return err
	}
	engine := web.NewEngine(web.Options{Service: name, Telemetry: p.tel})
	routes := engine.Group("/", web.Authenticate(callers))
	rest.NewReads(claims, cursors).Register(routes)
	rest.RegisterActions(routes, carried, p.box)
	p.public = engine
	return nil
}

// background runs something beside the ports until ctx ends, and returns the function that ends it and waits for its end.
func background(ctx context.Context, run func(context.Context)) func(context.Context) error {
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

// Migrate makes the service's schema and brings it up to date. Any number of replicas may call it at once.
func Migrate(ctx context.Context, config Config) error {
	if err := postgres.Migrate(ctx, config.Postgres, name, store.Migrations()); err != nil {
		return err
	}
	return jobs.Migrate(ctx, config.Postgres, name)
}
