package gateway

import (
	"errors"
	"fmt"
	"net/netip"
	"time"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/proto/openapi/site"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/ratelimit"
)

type (
	// KeyConfig holds the settings of API keys.
	KeyConfig = apikey.Config
	// KeysPerSeller limits the keys of a seller.
	KeysPerSeller = apikey.PerSeller
)

// Config holds all settings of the service.
type Config struct {
	service.ShellConfig   `embed:""`
	service.SigningConfig `embed:""`

	Keys     apikey.Config    `embed:""`
	Upstream UpstreamConfig   `embed:""`
	Redis    redis.Config     `embed:""`
	Limits   ratelimit.Config `embed:""`
	Bodies   BodyConfig       `embed:""`
	Clients  ClientConfig     `embed:""`
	Held     HeldConfig       `embed:""`
	Webhooks WebhookConfig    `embed:""`
	Requests RequestConfig    `embed:""`
	Shown    ShownConfig      `embed:""`
}

// RequestConfig configures the request log.
type RequestConfig struct {
	Log  string `name:"request-log" env:"REQUEST_LOG" default:"on" enum:"on,off" help:"Whether calls are written to the request log: on or off."`
	Days int    `name:"request-log-days" env:"REQUEST_LOG_DAYS" default:"14" help:"Days before today that the request log keeps, 1 to 400."`
	MiB  int64  `name:"request-log-mib" env:"REQUEST_LOG_MIB" default:"10240" help:"Size in MiB of the request log with its indexes, above which its oldest day is dropped."`
}

const logOff = "off"

var (
	errRequestLog     = errors.New("REQUEST_LOG must be on or off")
	errRequestLogDays = errors.New("REQUEST_LOG_DAYS must be between 1 and 400")
	errRequestLogMiB  = errors.New("REQUEST_LOG_MIB must be positive")
)

// Validate returns an error for invalid settings.
func (c *RequestConfig) Validate() error {
	var problems []error
	if c.Log != "on" && c.Log != logOff {
		problems = append(problems, errRequestLog)
	}
	if c.Days < 1 || c.Days > 400 {
		problems = append(problems, errRequestLogDays)
	}
	if c.MiB < 1 {
		problems = append(problems, errRequestLogMiB)
	}
	return errors.Join(problems...)
}

// ShownConfig holds settings of other services for the developer pages. It changes no behavior.
type ShownConfig struct {
	ConfirmAfter      time.Duration `name:"shown-confirm-after" env:"CONFIRM_AFTER" default:"192h" help:"Value of CONFIRM_AFTER of orders, for /docs/status. This and the next five settings are only displayed."`
	ConfirmAfterClaim time.Duration `name:"shown-confirm-after-claim" env:"CONFIRM_AFTER_CLAIM" default:"24h" help:"Value of CONFIRM_AFTER_CLAIM of orders, for /docs/status."`
	Request           time.Duration `name:"shown-request-period" env:"REQUEST_PERIOD" default:"168h" help:"Value of REQUEST_PERIOD of claims, for /docs/status."`
	Inspection        time.Duration `name:"shown-inspection-period" env:"INSPECTION_PERIOD" default:"72h" help:"Value of INSPECTION_PERIOD of claims, for /docs/status."`
	Payment           time.Duration `name:"shown-payment-period" env:"PAYMENT_PERIOD" default:"72h" help:"Value of PAYMENT_PERIOD of claims, for /docs/status."`
	KeysKept          time.Duration `name:"shown-idempotency-keys-kept" env:"IDEMPOTENCY_KEYS_KEPT" default:"0" help:"Value of IDEMPOTENCY_KEYS_KEPT of the services, for /docs/status."`
}

func (c *Config) site() site.Settings {
	return site.Settings{
		Environment: c.Keys.Environment, Refused: *c.Clients.Refused,
		Keys: c.Keys.PerSeller.Active, KeysDaily: c.Keys.PerSeller.Daily, KeyRest: c.Keys.Limits(c.Limits.Window).Rest,
		Window: c.Limits.Window, Read: c.Limits.Read, Process: c.Limits.Process, Rows: c.Limits.Rows,
		ConfirmAfter: c.Shown.ConfirmAfter, ConfirmAfterClaim: c.Shown.ConfirmAfterClaim, Request: c.Shown.Request,
		Inspection: c.Shown.Inspection, Payment: c.Shown.Payment,
		KeysKept: c.Shown.KeysKept, Key: c.Keys.Shown,
	}
}

// ClientConfig limits the calls of an address without a valid key, and configures how the address is determined.
type ClientConfig struct {
	Refused        *int           `name:"rate-refused" env:"RATE_REFUSED" default:"300" help:"Calls without a valid key that are allowed per address and window, 10000 at most. Further ones are answered 429. 0: no limit."`
	Connections    int            `name:"connections-per-address" env:"CONNECTIONS_PER_ADDRESS" default:"0" help:"Concurrent connections that are allowed per address and instance; further ones are closed immediately. Those of trusted proxies are not counted. 0: no limit, for use behind a proxy that is not listed."`
	TrustedProxies []netip.Prefix `name:"trusted-proxies" env:"TRUSTED_PROXIES" help:"Networks of the proxies in front, as 10.0.0.0/8, separated by commas, whose X-Forwarded-For is trusted. Without any, the header is ignored."`
}

// maxRefused limits the window of an address, which takes 11 bytes per call.
const maxRefused = 10_000

var (
	errRefused     = errors.New("RATE_REFUSED must be between 0 and 10000")
	errConnections = errors.New("CONNECTIONS_PER_ADDRESS must not be negative")
)

// Validate returns an error for invalid limits.
func (c ClientConfig) Validate() error {
	switch {
	case c.Refused != nil && (*c.Refused < 0 || *c.Refused > maxRefused):
		return errRefused
	case c.Connections < 0:
		return errConnections
	default:
		return nil
	}
}

// HeldConfig limits the calls that are held until something of their seller changes.
type HeldConfig struct {
	Max       *int              `name:"held-calls" env:"HELD_CALLS" default:"20000" help:"Calls with the parameter wait that are held at a time, 20000 at most. Further ones are answered at once, with the header X-Wait: 0."`
	Upstreams service.Upstreams `name:"clock-upstreams" env:"CLOCK_UPSTREAMS" help:"URLs of the RPC ports of the services, as NAME=http://host:port, separated by commas. Calls for the lists of a service without one are not held."`
}

// maxHeld is the most sellers of which a service is asked at once.
const maxHeld = 20_000

var errHeld = errors.New("HELD_CALLS must be between 0 and 20000")

// Validate returns an error for an invalid limit or address.
func (c *HeldConfig) Validate() error {
	var err error
	if c.Max != nil && (*c.Max < 0 || *c.Max > maxHeld) {
		err = errHeld
	}
	if _, wrong := (&service.UpstreamConfig{Upstreams: c.Upstreams}).Addresses(); wrong != nil {
		err = errors.Join(err, fmt.Errorf("CLOCK_UPSTREAMS, read as %w", wrong))
	}
	return err
}

// WebhookConfig configures deliveries to addresses of sellers.
type WebhookConfig struct {
	Enabled  bool `name:"webhooks" env:"WEBHOOKS" help:"Deliver to webhooks of sellers: the instance connects to addresses on the internet."`
	Loopback bool `name:"webhooks-loopback" env:"WEBHOOKS_LOOPBACK" help:"Allow webhooks with http, and on the loopback interface. Only where ENVIRONMENT is test."`
}

var errLoopback = errors.New(
	"WEBHOOKS_LOOPBACK must be set only where ENVIRONMENT is test: it opens the network of the gateway to sellers")

// Validate returns an error for settings that do not fit each other.
func (c *Config) Validate() error {
	isTest := c.Keys.Environment == string(apikey.Test)
	if _, played := c.Upstream.Upstreams[operation.Sandbox]; played && !isTest {
		return errSandbox
	}
	if c.Webhooks.Loopback && !isTest {
		return errLoopback
	}
	if err := c.TrustedKeys.CheckEnvironment(c.Keys.Environment); err != nil {
		return fmt.Errorf("TRUSTED_KEYS: %w", err)
	}
	return nil
}

var errSandbox = errors.New("UPSTREAMS must name the sandbox only where ENVIRONMENT is test")

// sandbox returns the operations of the sandbox, which only a test environment has.
func (c *Config) sandbox() []operation.Operation {
	if _, played := c.Upstream.Upstreams[operation.Sandbox]; !played || c.Keys.Environment != string(apikey.Test) {
		return nil
	}
	return operation.Of(operation.Sandbox)
}

// BodyConfig limits the memory of request bodies.
type BodyConfig struct {
	MemoryMiB int64 `name:"body-memory-mib" env:"BODY_MEMORY_MIB" default:"64" help:"Memory in MiB that is reserved for request bodies in progress, by Content-Length. Calls beyond it are answered 503."`
}

// errBodyMemory says that the largest body would never fit.
var errBodyMemory = fmt.Errorf("BODY_MEMORY_MIB must be %d or more", operation.LargestBody()>>20)

// Validate returns an error if the memory for bodies is too small; 0 means the default.
func (c BodyConfig) Validate() error {
	if c.MemoryMiB != 0 && c.MemoryMiB<<20 < operation.LargestBody() {
		return errBodyMemory
	}
	return nil
}

// UpstreamConfig holds the addresses of the services and the timeout of their calls.
type UpstreamConfig struct {
	service.UpstreamConfig `embed:""`

	Timeout time.Duration `name:"upstream-timeout" env:"UPSTREAM_TIMEOUT" default:"30s" help:"Maximum time for a response of a service. Operations with a shorter timeout keep it."`
}

// errTimeout says that the timeout is not positive.
var errTimeout = errors.New("UPSTREAM_TIMEOUT must be positive")

// maxTimeout returns the longest time that any operation may take.
func (c *UpstreamConfig) maxTimeout() time.Duration { return min(c.Timeout, operation.MaxTimeout()) }

// Validate returns an error for invalid settings.
func (c *UpstreamConfig) Validate() error {
	err := c.UpstreamConfig.Validate()
	if c.Timeout <= 0 {
		err = errors.Join(errTimeout, err)
	}
	return err
}
