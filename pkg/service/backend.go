package service

import (
	"context"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/web"
)

// BackendConfig holds the settings that every service behind the gateway has. Embed it in the service's own configuration.
type BackendConfig struct {
	ShellConfig `embed:""`

	Inbox inbox.Config `embed:""`

	CursorKeys secret.Keys `name:"cursor-keys" env:"CURSOR_KEYS" required:"" help:"Keys that sign list cursors: base64 of at least 32 bytes, optionally followed by a comma and previous ones."`
}

// Validate reports a key that is missing.
func (c *BackendConfig) Validate() error { return required("CURSOR_KEYS", c.CursorKeys) }

// backend makes a configuration that embeds BackendConfig a BackendConfiguration.
func (c *BackendConfig) backend() *BackendConfig { return c }

// BackendConfiguration is a pointer to a struct that embeds BackendConfig.
type BackendConfiguration interface {
	Configuration
	backend() *BackendConfig
}

// Backend is a service behind the gateway while it is put together.
type Backend struct {
	*Shell
	// Box keeps the first answers to process calls.
	Box *inbox.Box
	// Cursors signs the cursors of lists.
	Cursors *paging.Signer

	handlers web.Handlers
}

// Operations sets the handlers of the operations that the service owns.
func (b *Backend) Operations(handlers web.Handlers) { b.handlers = handlers }

// RunBackend is Run for a service behind the gateway: it serves the operations that owner owns, and what build adds, and
// keeps the record of first answers swept.
func RunBackend(ctx context.Context, owner operation.Service, config BackendConfiguration, build func(*Backend) error) error {
	return Run(ctx, string(owner), config, func(s *Shell) error { //nolint:contextcheck // handlers get their context with each request
		settings := config.backend()
		cursors, err := paging.NewSigner(settings.CursorKeys.Current(), settings.CursorKeys.Previous()...)
		if err != nil {
			return err
		}
		b := &Backend{Shell: s, Box: inbox.New(s.Pool, settings.Inbox), Cursors: cursors}
		if err := build(b); err != nil {
			return err
		}
		b.Background(func(ctx context.Context) { b.Box.KeepSwept(ctx, b.Telemetry) })
		engine := web.NewEngine(web.Options{Service: string(owner), Telemetry: b.Telemetry})
		b.Public(engine)
		return web.RegisterOperations(engine, b.Principals, operation.Of(owner), b.handlers)
	})
}
