package service

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/sellerclock"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/pkg/web"
)

// BackendConfig holds the settings that every service behind the gateway has. Embed it in the service's own configuration.
type BackendConfig struct {
	ShellConfig   `embed:""`
	SigningConfig `embed:""`

	Inbox   inbox.Config           `embed:""`
	Replica postgres.ReplicaConfig `embed:""`

	Environment string `name:"environment" env:"ENVIRONMENT" enum:"live,test" default:"live" help:"Environment: live or test. A live service trusts no sandbox, is not ready with the database of a test environment, and does not start without a real refund provider where it pays refunds."`

	CursorKeys secret.Keys `name:"cursor-keys" env:"CURSOR_KEYS" required:"" help:"Keys that sign list cursors: base64 of at least 32 bytes, optionally followed by a comma and previous ones."`

	// SweepInterval, when set, overrides the intervals of all sweeps, so that tests need not wait for them.
	SweepInterval time.Duration `kong:"-"`
}

// Validate returns an error if there is no key for signing cursors, or a key of the sandbox is trusted in a live environment.
func (c *BackendConfig) Validate() error {
	var problems []error
	if c.CursorKeys.IsZero() {
		problems = append(problems, fmt.Errorf("CURSOR_KEYS: %w", secret.ErrNoKeys))
	}
	if err := c.TrustedKeys.CheckEnvironment(c.Environment); err != nil {
		problems = append(problems, fmt.Errorf("TRUSTED_KEYS: %w", err))
	}
	return errors.Join(problems...)
}

// backend makes a configuration that embeds BackendConfig a BackendConfiguration.
func (c *BackendConfig) backend() *BackendConfig { return c }

// BackendConfiguration is a pointer to a struct that embeds BackendConfig.
type BackendConfiguration interface {
	Configuration
	backend() *BackendConfig
}

// Backend is a service behind the gateway during its assembly.
type Backend struct {
	*Shell
	// Box stores the first responses to process calls.
	Box *inbox.Box
	// Cursors signs the cursors of lists.
	Cursors *paging.Signer

	environment string
	handlers    web.Handlers
	sweeps      []sweep.Sweep
	gauges      []postgres.Gauge
}

// Operations sets the handlers of the operations that the service owns.
func (b *Backend) Operations(handlers web.Handlers) { b.handlers = handlers }

// Sweep adds background work that runs when it is due, until the service ends.
func (b *Backend) Sweep(sweeps ...sweep.Sweep) { b.sweeps = append(b.sweeps, sweeps...) }

// SellerClock returns what moves the clocks of sellers, with all work that Sweep has added before; nil in a live environment.
func (b *Backend) SellerClock() *sellerclock.Clock {
	if b.environment != Test {
		return nil
	}
	clock := sellerclock.New(b.Pool, b.Telemetry, b.sweeps)
	b.Sweep(clock.Sweep())
	return clock
}

// Gauges adds metrics that are set from statements.
func (b *Backend) Gauges(gauges ...postgres.Gauge) { b.gauges = append(b.gauges, gauges...) }

// RunBackend is Run for a service behind the gateway: it serves the operations that owner owns, and what build adds, and
// keeps the record of first answers swept.
func RunBackend(ctx context.Context, owner operation.Service, config BackendConfiguration, build func(*Backend) error) error {
	settings := config.backend()
	settings.Postgres.Settings = postgres.PlannerSettings()
	return Run(ctx, string(owner), config, func(s *Shell) error {
		cursors, err := paging.NewSigner(settings.CursorKeys.Current(), settings.CursorKeys.Previous()...)
		if err != nil {
			return err
		}
		callers, err := settings.callers(trust.Party(owner))
		if err != nil {
			return err
		}
		if err := s.Pool.OpenReplica(ctx, settings.Replica, settings.Postgres, string(owner), s.Telemetry); err != nil {
			return err
		}
		if settings.Environment != Test {
			s.Pool.RequirePlainClocks()
		}
		b := &Backend{Shell: s, Box: inbox.New(s.Pool, settings.Inbox), Cursors: cursors, environment: settings.Environment}
		if err := build(b); err != nil {
			return err
		}
		for _, one := range slices.Concat(b.sweeps, b.Box.Sweeps(), []sweep.Sweep{b.measure()}) {
			if settings.SweepInterval > 0 {
				one.Interval = settings.SweepInterval
			}
			b.Background(sweep.New(one, b.Telemetry).Keep)
		}
		engine := web.NewEngine(web.Options{Service: string(owner), Telemetry: b.Telemetry})
		b.Public(engine)
		return web.RegisterOperations(engine, callers, operation.Of(owner), b.handlers) //nolint:contextcheck // handlers get their context with each request
	})
}

// callers returns the verifier of the principals that the gateway signs for the owner.
func (c *BackendConfig) callers(owner trust.Party) (*principal.Verifier, error) {
	if err := c.CheckTrusted(owner, c.TrustedKeys); err != nil {
		return nil, err
	}
	callers, err := principal.NewVerifier(owner, c.SigningKey, c.TrustedKeys)
	if err != nil {
		return nil, fmt.Errorf("TRUSTED_KEYS: %w", err)
	}
	return callers, nil
}

// gaugeInterval is the update interval of the gauges, shorter than the scrape interval.
const gaugeInterval = 10 * time.Second

func (b *Backend) measure() sweep.Sweep {
	gauges := slices.Concat(b.gauges, b.Box.Gauges())
	items := make([]sweep.Item, 0, len(gauges))
	for _, gauge := range gauges {
		items = append(items, sweep.Item{
			Key: gauge.Metric.Name, Do: func(ctx context.Context) error {
				return gauge.Set(ctx,
					postgres.AllSellers(b.Pool), b.Telemetry)
			},
		})
	}
	return sweep.Always("measure", gaugeInterval, items...)
}
