package orders

import (
	"time"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/orders/internal/order"
)

// Config is everything that can be set from outside.
type Config struct {
	service.BackendConfig `embed:""`

	ConfirmAfter      time.Duration `name:"confirm-after" env:"CONFIRM_AFTER" default:"192h" help:"A purchase confirms itself so long after the delivery."`
	ConfirmAfterClaim time.Duration `name:"confirm-after-claim" env:"CONFIRM_AFTER_CLAIM" default:"24h" help:"But not sooner than so long after a claim on the item ended."`
	BatchWorkers      int           `name:"batch-workers" env:"BATCH_WORKERS" default:"8" help:"Batch entries that are worked on at once, over all batches; each takes a database connection."`
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
