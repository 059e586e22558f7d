package orders

import (
	"time"

	"sellerapi.dev/pkg/inbox"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/rpc"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/orders/internal/order"
)

// Config is everything that can be set from outside.
type Config struct {
	Service  service.Config  `embed:""`
	Postgres postgres.Config `embed:""`
	RPC      rpc.Config      `embed:""`
	Inbox    inbox.Config    `embed:""`

	PrincipalKeys secret.Keys `name:"principal-keys" env:"PRINCIPAL_KEYS,PRINCIPAL_KEY" required:"" help:"Keys that the gateway signs callers with: base64 of at least 32 bytes, the current one and previous ones separated by commas."`
	CursorKeys    secret.Keys `name:"cursor-keys" env:"CURSOR_KEYS,CURSOR_KEY" required:"" help:"Keys that cursors of lists are signed with: base64 of at least 32 bytes, the current one and previous ones separated by commas."`

	ConfirmAfter      time.Duration `name:"confirm-after" env:"CONFIRM_AFTER" default:"192h" help:"A purchase confirms itself so long after the delivery."`
	ConfirmAfterClaim time.Duration `name:"confirm-after-claim" env:"CONFIRM_AFTER_CLAIM" default:"24h" help:"But not sooner than so long after a claim on the item ended."`
	BatchWorkers      int           `name:"batch-workers" env:"BATCH_WORKERS" default:"8" help:"Batch entries that are worked on at once, over all batches; each takes a database connection."`

	// OnReady, when set, is told the real addresses once all ports answer; tests listen on port 0.
	OnReady func(service.Addresses) `kong:"-"`
}

// terms are the periods of the settings; zero ones, as in configurations written by hand, are the defaults.
func (c *Config) terms() order.Terms {
	terms := order.DefaultTerms()
	if c.ConfirmAfter > 0 {
		terms.ConfirmAfter = c.ConfirmAfter
	}
	if c.ConfirmAfterClaim > 0 {
		terms.ConfirmAfterClaim = c.ConfirmAfterClaim
	}
	return terms
}

// batchWorkers is the setting, or its default.
func (c *Config) batchWorkers() int {
	if c.BatchWorkers > 0 {
		return c.BatchWorkers
	}
	return 8
}
