package claims

import (
	"cmp"
	"errors"
	"time"

	"sellerapi.dev/pkg/defaults"
	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/refund"
)

// Config holds all settings of the service.
type Config struct {
	service.BackendConfig `embed:""`

	service.UpstreamConfig `embed:""`

	Orders  lines.Config  `kong:"-"`
	Refund  refund.Config `embed:""`
	Periods PeriodsConfig `embed:""`

	// Inline limits the total time that a call waits for the orders service and the provider before it is answered and the rest is
	// done in the background; 0 leaves two fifths of the call's timeout to the database. A call that times out would be answered
	// with 504 although its work continues.
	Inline time.Duration `kong:"-"`
}

// PeriodsConfig holds the time limits of claims.
type PeriodsConfig struct {
	Request    time.Duration `name:"request-period" env:"REQUEST_PERIOD" default:"${request_period}" help:"How long after delivery returns and exchanges may be requested."`
	Inspection time.Duration `name:"inspection-period" env:"INSPECTION_PERIOD" default:"${inspection_period}" help:"How long after collection a return that was not inspected counts as passed."`
	Payment    time.Duration `name:"payment-period" env:"PAYMENT_PERIOD" default:"${payment_period}" help:"How long a shortfall may stay unpaid."`
}

// Vars implements [defaults.Variables].
func (*Config) Vars() defaults.Vars {
	periods := claim.DefaultPeriods()
	return defaults.Vars{
		"request_period": periods.Request.String(), "inspection_period": periods.Inspection.String(),
		"payment_period": periods.Payment.String(),
	}
}

// times returns the configuration with the times that are derived from the call timeout.
func (c Config) times() Config {
	c.Inline = cmp.Or(c.Inline, c.RPC.Timeout/5*3)
	c.Orders.URL = c.Upstreams[operation.Orders]
	c.Orders.Timeout = cmp.Or(c.Orders.Timeout, c.RPC.Timeout/5*2)
	return c
}

// Validate returns an error if the orders service has no address, or if a live environment has no provider that pays refunds. A
// missing environment counts as live.
func (c *Config) Validate() error {
	if _, named := c.Upstreams[operation.Orders]; !named {
		return errors.New("UPSTREAMS: orders is missing")
	}
	// Only in a test environment may refunds count as paid without a payment.
	if c.Environment == service.Test || c.Refund.URL != "" {
		return nil
	}
	return errors.New("REFUND_PROVIDER_URL is empty, so a live environment would pay no refunds: set it and " +
		"REFUND_PROVIDER_KEYS, or set ENVIRONMENT=test")
}
