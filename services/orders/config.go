package orders

import (
	"time"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/orders/internal/order"
)

// Config is the configuration of the service.
type Config struct {
	service.BackendConfig `embed:""`

	ConfirmAfter      time.Duration `name:"confirm-after" env:"CONFIRM_AFTER" default:"${confirm_after}" help:"How long after delivery a purchase is confirmed automatically."`
	ConfirmAfterClaim time.Duration `name:"confirm-after-claim" env:"CONFIRM_AFTER_CLAIM" default:"${confirm_after_claim}" help:"Minimum time between the end of a claim on the item and its automatic confirmation."`
}

// Vars implements [defaults.Variables].
func (*Config) Vars() defaults.Vars {
	terms := order.DefaultTerms()
	return defaults.Vars{"confirm_after": terms.ConfirmAfter.String(), "confirm_after_claim": terms.ConfirmAfterClaim.String()}
}

func (c *Config) terms() order.Terms {
	return order.Terms{ConfirmAfter: c.ConfirmAfter, ConfirmAfterClaim: c.ConfirmAfterClaim}
}

// batchWorkers returns how many groups of batch entries are processed concurrently, over all batches. Each uses a database
// connection; half of the connections remain for other calls.
func (c *Config) batchWorkers() int { return max(1, int(c.Postgres.MaxConns)/2) }
