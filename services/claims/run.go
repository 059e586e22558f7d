// Package claims is the service of cancel, return and exchange claims, from the request to the refund. README.md says what it
// owns and where to look.
package claims

import (
	"context"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/proto/gen/claims/v1/claimsv1connect"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/intake"
	"sellerapi.dev/services/claims/internal/jobs"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/refund"
	"sellerapi.dev/services/claims/internal/rest"
	"sellerapi.dev/services/claims/internal/saga"
	"sellerapi.dev/services/claims/internal/store"
)

// schema is the name of the service and of the schema that holds its tables and those of its jobs.
const schema = string(operation.Claims)

// Run serves until ctx ends. An error says why the service could not start or had to end.
func Run(ctx context.Context, config Config) error {
	config.Postgres.Settings = store.Settings()
	config.Jobs.PollOnly = config.Postgres.TransactionPooling
	return service.RunBackend(ctx, operation.Claims, &config, config.build)
}

// build puts the parts together.
func (c *Config) build(b *service.Backend) error {
	planner, err := jobs.NewPlanner(b.Pool, c.Jobs, b.Telemetry)
	if err != nil {
		return err
	}
	claims := store.New(b.Pool, planner.Follow)
	times := c.times()
	orders, err := lines.New(times.Orders, c.RPC, schema, b.Telemetry)
	if err != nil {
		return err
	}
	b.OnClose(orders.Close)
	provider, err := refund.Open(c.Refund)
	if err != nil {
		return err
	}
	b.OnClose(provider.Close)
	carried := saga.New(saga.Options{
		Claims: claims, Lines: orders, Provider: provider, Telemetry: b.Telemetry, Periods: claim.Periods(c.Periods), Inline: times.Inline,
	})
	runner, err := jobs.NewRunner(b.Pool, carried, c.Jobs, b.Telemetry)
	if err != nil {
		return err
	}
	api := rest.API{Claims: claims, Cursors: b.Cursors, Saga: carried, Box: b.Box}
	b.Operations(api.Handlers())
	b.RPC(claimsv1connect.NewIntakeHandler(intake.New(carried, claims), b.RPCOptions()))
	b.Background(jobs.NewSweeper(b.Pool, claims, carried, c.Jobs, b.Telemetry).Keep)
	b.Background(runner.Run)
	return nil
}

// Migrate makes the service's schema and brings it up to date. Any number of replicas may call it at once.
func Migrate(ctx context.Context, config postgres.Config) error {
	if err := postgres.Migrate(ctx, config, schema, store.Migrations()); err != nil {
		return err
	}
	return jobs.Migrate(ctx, config, schema)
}
