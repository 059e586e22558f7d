package claims

import (
	"errors"
	"fmt"
	"time"

	"sellerapi.dev/pkg/service"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
	"sellerapi.dev/services/claims/internal/refund"
	"sellerapi.dev/services/claims/internal/saga"
)

// Config is everything that can be set from outside.
type Config struct {
	service.BackendConfig `embed:""`

	Orders  lines.Config  `embed:""`
	Refund  refund.Config `embed:""`
	Periods PeriodsConfig `embed:""`

	Environment string `name:"environment" env:"ENVIRONMENT" enum:"live,test" default:"live" help:"Which of the two separate worlds this is: live or test. A live one does not start without a real refund provider."`

	Inline time.Duration `name:"inline-time" env:"INLINE_TIME" default:"3s" help:"How long a call waits for the orders service and the provider, all in all, before it is answered; the rest is done soon after. At least a second less than RPC_TIMEOUT."`
}

// PeriodsConfig are the periods of claims. Zero durations mean the defaults.
type PeriodsConfig struct {
	Request    time.Duration `name:"request-period" env:"REQUEST_PERIOD" default:"168h" help:"Returns and exchanges may be requested so long after delivery."`
	Inspection time.Duration `name:"inspection-period" env:"INSPECTION_PERIOD" default:"72h" help:"A return that is collected passes by itself after so long."`
	Payment    time.Duration `name:"payment-period" env:"PAYMENT_PERIOD" default:"72h" help:"A shortfall has to be paid within so long."`
}

// periods are the settings, or their defaults.
func (c PeriodsConfig) periods() claim.Periods {
	periods := claim.DefaultPeriods()
	for _, one := range []struct {
		set  time.Duration
		into *time.Duration
	}{{c.Request, &periods.Request}, {c.Inspection, &periods.Inspection}, {c.Payment, &periods.Payment}} {
		if one.set > 0 {
			*one.into = one.set
		}
	}
	return periods
}

// environmentTest is the only environment in which refunds may count as paid although nobody pays them.
const environmentTest = "test"

// paid reports that a live environment has no provider that pays its refunds. A missing environment is a live one.
func (c *Config) paid() error {
	if c.Environment == environmentTest || c.Refund.URL != "" {
		return nil
	}
	return errors.New("REFUND_PROVIDER_URL is empty, and a live environment would pay no refund: set it, and REFUND_PROVIDER_KEYS; or set ENVIRONMENT=test where nobody is to be paid")
}

// inlineMargin is how much longer than what a call waits for elsewhere it must be able to last: what the database takes.
const inlineMargin = time.Second

// check reports what does not fit, for callers that do not come by the command line.
func (c *Config) check() error { return errors.Join(c.paid(), c.inTime()) }

// inTime reports that a call would not end by itself. One that timed out would be answered 504 although all goes on.
func (c *Config) inTime() error {
	inline, most := c.Inline, c.RPC.CallTimeout()
	if inline <= 0 {
		inline = saga.DefaultInline
	}
	if most < inline+inlineMargin {
		return fmt.Errorf("RPC_TIMEOUT must be at least %s: a call may wait %s (INLINE_TIME) and takes %s itself, not %s", inline+inlineMargin, inline, inlineMargin, most)
	}
	return nil
}
