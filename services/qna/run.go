// Package qna is the service that owns product inquiries and their answers. README.md says what it owns and where to look.
package qna

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
	"sellerapi.dev/proto/gen/qna/v1/qnav1connect"
	"sellerapi.dev/services/qna/internal/intake"
	"sellerapi.dev/services/qna/internal/rest"
	"sellerapi.dev/services/qna/internal/store"
)

// name is the service's name in logs, spans and metrics, and that of its schema.
const name = "qna"

// Run serves until ctx ends. An error says why the service could not start or had to end.
func Run(ctx context.Context, config Config) error {
	if err := config.check(); err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	tel, err := telemetry.New(ctx, name, service.Version(), config.Service.Telemetry)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	pool, err := postgres.Open(ctx, config.Postgres, name, tel)
	if err != nil {
		return fmt.Errorf("start %s: %w", name, err)
	}
	box := inbox.New(pool, config.Inbox)
	public, calls, err := wire(config, pool, box, tel)
	if err != nil {
		pool.Close()
		return fmt.Errorf("start %s: %w", name, err)
	}
	return service.Serve(ctx, service.Spec{
		Name:      name,
		Config:    config.Service,
		Telemetry: tel,
		Listeners: []service.Listener{
			{Name: "public", Addr: config.Service.ListenPublic, Handler: public},
			{Name: "rpc", Addr: config.Service.ListenRPC, Handler: calls, H2C: true},
		},
		Checks: []service.Check{
			{Name: "postgres", Probe: postgres.Check(pool), Impairments: []string{postgres.ImpairmentReadOnly}},
		},
		OnReady: config.OnReady,
		Close: []func(context.Context) error{
			func(context.Context) error { pool.Close(); return nil },
			keepSwept(ctx, box, tel),
		},
	})
}

// wire puts the parts together and returns what the two ports answer with.
func wire(config Config, pool *pgxpool.Pool, box *inbox.Box, tel *telemetry.Telemetry) (public, calls http.Handler, err error) {
	callers, err := principal.NewSigner(config.PrincipalKeys.Current(), config.PrincipalKeys.Previous()...)
	if err != nil {
		return nil, nil, err
	}
	cursors, err := paging.NewSigner(config.CursorKeys.Current(), config.CursorKeys.Previous()...)
	if err != nil {
		return nil, nil, err
	}
	mux, err := rpc.NewMux(config.RPC, tel)
	if err != nil {
		return nil, nil, err
	}
	inquiries := store.New(pool)
	mux.Handle(qnav1connect.NewIntakeHandler(intake.New(inquiries), mux.Options()))
	engine := web.NewEngine(web.Options{Service: name, Telemetry: tel})
	rest.New(inquiries, cursors, box).Register(engine.Group("/", web.Authenticate(callers)))
	return engine, mux, nil
}

// keepSwept deletes answers beyond their retention until ctx ends, and returns the function that waits for the last sweep.
func keepSwept(ctx context.Context, box *inbox.Box, tel *telemetry.Telemetry) func(context.Context) error {
	ctx, stop := context.WithCancel(ctx)
	swept := make(chan struct{})
	go func() {
		defer close(swept)
		box.KeepSwept(ctx, tel)
	}()
	return func(context.Context) error {
		stop()
		<-swept
		return nil
	}
}

// Migrate makes the service's schema and brings it up to date. Any number of replicas may call it at once.
func Migrate(ctx context.Context, config Config) error {
	return postgres.Migrate(ctx, config.Postgres, name, store.Migrations())
}
