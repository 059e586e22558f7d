// Package orders is the service that owns orders, their items, parcels and history: it answers the public operations on
// orders, which reach it through the gateway, and takes orders in from the marketplace core. README.md says where to look.
package orders

import (
	"context"
	"fmt"

	"github.com/gin-gonic/gin"
	"github.com/jackc/pgx/v5/pgxpool"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/web"
	"sellerapi.dev/proto/gen/orders/v1/ordersv1connect"
	"sellerapi.dev/services/orders/internal/intake"
	"sellerapi.dev/services/orders/internal/jobs"
	"sellerapi.dev/services/orders/internal/lines"
	"sellerapi.dev/services/orders/internal/rest"
	"sellerapi.dev/services/orders/internal/store"
)

// name is the service's name in logs, spans and metrics, and that of its schema.
const name = "orders"

// Run serves until ctx ends. An error says why the service could not start or had to end.
func Run(ctx context.Context, config Config) error {
	tel, err := telemetry.New(ctx, name, service.Version(), config.Service.Telemetry)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	pool, err := store.Open(ctx, config.Postgres, name, tel)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	p := parts{config: config, pool: pool, tel: tel, box: inbox.New(pool, config.Inbox)}
	if err := p.build(); err != nil { //nolint:contextcheck // handlers get their context with each request
		pool.Close()
		return fmt.Errorf("start %s: %w", name, err)
	}
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
		Close: []func(context.Context) error{
			func(context.Context) error { pool.Close(); return nil },
			background(ctx, func(ctx context.Context) { p.box.KeepSwept(ctx, tel) }),
			background(ctx, p.runner.Run),
		},
	})
}

// parts is what an instance is put together from.
type parts struct {
	config Config
	pool   *pgxpool.Pool
	tel    *telemetry.Telemetry
	box    *inbox.Box

	public *gin.Engine
	calls  *rpc.Mux
	runner *jobs.Runner
}

// build puts the parts together.
func (p *parts) build() error {
	alarms, err := jobs.NewAlarms(p.pool, name, p.tel.Logger)
	if err != nil {
		return err
	}
	orders := store.New(p.pool, p.config.terms(), alarms)
	if p.public, err = p.publicEngine(orders); err != nil {
		return err
	}
	if p.calls, err = rpc.NewMux(p.config.RPC, p.tel); err != nil {
		return err
	}
	p.calls.Handle(ordersv1connect.NewIntakeHandler(&intake.Service{Orders: orders}, p.calls.Options()))
	p.calls.Handle(ordersv1connect.NewClaimLinesHandler(&lines.Service{Holds: orders}, p.calls.Options()))
	p.runner, err = jobs.New(jobs.Config{
		Pool: p.pool, Schema: name, Orders: orders, PollOnly: p.config.Postgres.TransactionPooling,
	}, p.tel)
	return err
}

// publicEngine returns the handler of the public paths.
func (p *parts) publicEngine(orders *store.Store) (*gin.Engine, error) {
	principals, err := principal.NewSigner(p.config.PrincipalKeys.Current(), p.config.PrincipalKeys.Previous()...)
	if err != nil {
		return nil, err
	}
	cursors, err := paging.NewSigner(p.config.CursorKeys.Current(), p.config.CursorKeys.Previous()...)
	if err != nil {
		return nil, err
	}
	engine := web.NewEngine(web.Options{Service: name, Telemetry: p.tel})
	api := rest.API{
		Orders: orders, Cursors: cursors, Principals: principals, Box: p.box, Logger: p.tel.Logger, BatchWorkers: p.config.batchWorkers(),
	}
	api.Register(engine)
	return engine, nil
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
