package gateway

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"time"

	"sellerapi.dev/pkg/operation"
	"sellerapi.dev/pkg/principal"
	"sellerapi.dev/pkg/redis"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/idempotency"
	"sellerapi.dev/services/gateway/internal/ratelimit"
	"sellerapi.dev/services/gateway/internal/site"
	"sellerapi.dev/services/gateway/internal/store"
	"sellerapi.dev/services/gateway/internal/upstream"
)

// Config is everything that can be set from outside.
type Config struct {
	service.ShellConfig   `embed:""`
	service.SigningConfig `embed:""`

	Keys     KeyConfig        `embed:""`
	Upstream UpstreamConfig   `embed:""`
	Redis    redis.Config     `embed:""`
	Limits   ratelimit.Config `embed:""`
	Bodies   BodyConfig       `embed:""`
	Clients  ClientConfig     `embed:""`
	Shown    ShownConfig      `embed:""`
}

// ShownConfig is what other services are set to, for the page that tells developers. It changes nothing.
type ShownConfig struct {
	ConfirmAfter time.Duration `name:"shown-confirm-after" env:"CONFIRM_AFTER" default:"192h" help:"What CONFIRM_AFTER of orders is, for /docs/status. This and the next five change nothing."`
	Request      time.Duration `name:"shown-request-period" env:"REQUEST_PERIOD" default:"168h" help:"What REQUEST_PERIOD of claims is, for /docs/status."`
	Inspection   time.Duration `name:"shown-inspection-period" env:"INSPECTION_PERIOD" default:"72h" help:"What INSPECTION_PERIOD of claims is, for /docs/status."`
	Payment      time.Duration `name:"shown-payment-period" env:"PAYMENT_PERIOD" default:"72h" help:"What PAYMENT_PERIOD of claims is, for /docs/status."`
	ArchiveAfter time.Duration `name:"shown-archive-after" env:"ARCHIVE_AFTER" default:"0" help:"What ARCHIVE_AFTER of the services is, for /docs/status."`
	KeysKept     time.Duration `name:"shown-idempotency-keys-kept" env:"IDEMPOTENCY_KEYS_KEPT" default:"0" help:"What IDEMPOTENCY_KEYS_KEPT of the services is, for /docs/status."`
}

// site is what developers are told of the settings.
func (c *Config) site() site.Settings {
	return site.Settings{
		Environment: c.Keys.Environment, Keys: apikey.MaxActive, Refused: *c.Clients.Refused,
		Window: c.Limits.Window, Read: c.Limits.Read, Process: c.Limits.Process, Rows: c.Limits.Rows,
		ConfirmAfter: c.Shown.ConfirmAfter, Request: c.Shown.Request, Inspection: c.Shown.Inspection, Payment: c.Shown.Payment,
		ArchiveAfter: c.Shown.ArchiveAfter, KeysKept: c.Shown.KeysKept,
	}
}

// ClientConfig bounds what an address may do without a good key, and says how its address is known.
type ClientConfig struct {
	Refused        *int           `name:"rate-refused" env:"RATE_REFUSED" default:"300" help:"Calls without a good key that an address may make per window, 10000 at most. Beyond it they are answered 429. 0: no limit."`
	Connections    int            `name:"connections-per-address" env:"CONNECTIONS_PER_ADDRESS" default:"0" help:"Connections that an address may have at once with an instance; one more is closed at once. Those of trusted proxies are not counted. 0: no limit, for where a proxy that is not named stands in front."`
	TrustedProxies []netip.Prefix `name:"trusted-proxies" env:"TRUSTED_PROXIES" help:"Networks of the proxies in front, as 10.0.0.0/8, separated by commas. They are believed in X-Forwarded-For; without any, no header is."`
}

// mostRefused bounds the window of an address, which takes 11 bytes a call.
const mostRefused = 10_000

// What is wrong with the limits of an address.
var (
	errRefused     = errors.New("RATE_REFUSED must be between 0 and 10000")
	errConnections = errors.New("CONNECTIONS_PER_ADDRESS must not be negative")
)

// Validate reports what is wrong with the limits.
func (c ClientConfig) Validate() error {
	switch {
	case c.Refused != nil && (*c.Refused < 0 || *c.Refused > mostRefused):
		return errRefused
	case c.Connections < 0:
		return errConnections
	default:
		return nil
	}
}

// BodyConfig bounds what request bodies take.
type BodyConfig struct {
	MemoryMiB int64 `name:"body-memory-mib" env:"BODY_MEMORY_MIB" default:"64" help:"Memory in MiB for request bodies that are under way, by their announced lengths. Beyond it a call is answered 503."`
}

// errBodyMemory says that the largest body would never fit.
var errBodyMemory = errors.New("BODY_MEMORY_MIB must be 4 or more")

// Validate reports what is wrong with the memory for bodies; 0 stands for the default.
func (c BodyConfig) Validate() error {
	if c.MemoryMiB != 0 && c.MemoryMiB < 4 {
		return errBodyMemory
	}
	return nil
}

// locks are the settings of idempotency: a lock outlasts every operation.
func (c *Config) locks() idempotency.Config {
	return idempotency.Config{Lock: idempotency.LockFor(c.Upstream.longest())}
}

// KeyConfig is what key texts are made, read and encrypted with.
type KeyConfig struct {
	Environment string      `name:"environment" env:"ENVIRONMENT" enum:"live,test" required:"" help:"Which of the two separate worlds this is: live or test. It decides which keys are issued and accepted."`
	Pepper      secret.Keys `name:"key-pepper" env:"KEY_PEPPER" required:"" help:"Pepper of key texts: base64 of at least 32 bytes, optionally followed by a comma and previous ones. A previous one must stay for as long as keys issued under it are to be accepted."`
	Keyset      secret.Text `name:"key-encryption-keyset" env:"KEY_ENCRYPTION_KEYSET" required:"" help:"Key set that encrypts key texts, as printed by 'gateway keyset new'."`

	PerDay int            `name:"keys-per-day" env:"KEYS_PER_DAY" default:"10" help:"Keys that a seller is issued in any 24 hours."`
	Rest   *time.Duration `name:"key-rest" env:"KEY_REST" default:"2m" help:"How long an ended key still counts towards the five that a seller may hold. RATE_WINDOW and a minute keep a seller at five times the limits of a key; 0 lets it go beyond by issuing and revoking."`
}

// limits are those of a seller's keys.
func (c *KeyConfig) limits() apikey.Limits { return apikey.Limits{PerDay: c.PerDay, Rest: *c.Rest} }

// Validate reports what is wrong with the key settings.
func (c *KeyConfig) Validate() error {
	_, _, err := c.open()
	if c.PerDay < 1 {
		err = errors.Join(errPerDay, err)
	}
	if c.Rest != nil && *c.Rest < 0 {
		err = errors.Join(errRest, err)
	}
	return err
}

// What is wrong with the limits of a seller's keys.
var (
	errPerDay = errors.New("KEYS_PER_DAY must be at least 1")
	errRest   = errors.New("KEY_REST must not be negative")
)

// open builds what the settings describe.
func (c *KeyConfig) open() (*apikey.Texts, *apikey.Vault, error) {
	texts, textsErr := apikey.NewTexts(apikey.Environment(c.Environment), c.Pepper)
	if textsErr != nil {
		textsErr = fmt.Errorf("ENVIRONMENT, KEY_PEPPER: %w", textsErr)
	}
	vault, vaultErr := apikey.NewVault(c.Keyset)
	if vaultErr != nil {
		vaultErr = fmt.Errorf("KEY_ENCRYPTION_KEYSET: %w", vaultErr)
	}
	return texts, vault, errors.Join(textsErr, vaultErr)
}

// on returns the use cases of keys on a store, and the verifier of the texts of calls.
func (c *KeyConfig) on(
	kept *store.Store, publish func(context.Context, apikey.Key) error, tel *telemetry.Telemetry,
) (*apikey.Keys, *apikey.Verifier, error) {
	texts, vault, err := c.open()
	if err != nil {
		return nil, nil, err
	}
	lookup := apikey.Lookup(kept.FindKey).Counted(tel.Counter(telemetry.KeyLookups).WithLabelValues("database"))
	return apikey.NewKeys(texts, vault, kept, c.limits(), publish), apikey.NewVerifier(texts, lookup, apikey.LookupTimeout), nil
}

// UpstreamConfig is where the services are.
type UpstreamConfig struct {
	OrdersURL string `name:"orders-url" env:"ORDERS_URL" help:"Address of the orders service, as http://host:port. Empty: its operations answer 503."`
	ClaimsURL string `name:"claims-url" env:"CLAIMS_URL" help:"Address of the claims service; as above."`
	QnAURL    string `name:"qna-url" env:"QNA_URL" help:"Address of the qna service; as above."`

	Timeout time.Duration `name:"upstream-timeout" env:"UPSTREAM_TIMEOUT" default:"30s" help:"Longest time that a service may take. Operations whose own time-out is shorter keep it."`
}

// errTimeout says that no service could answer in time.
var errTimeout = errors.New("UPSTREAM_TIMEOUT must be positive")

// longest is the most that any operation may take.
func (c *UpstreamConfig) longest() time.Duration { return min(c.Timeout, operation.LongestTimeout()) }

// Validate reports what is wrong with the addresses.
func (c *UpstreamConfig) Validate() error {
	_, err := c.addresses()
	if c.Timeout <= 0 {
		err = errors.Join(errTimeout, err)
	}
	return err
}

// forwarder returns what carries calls to the services, signed.
func (c *Config) forwarder(tel *telemetry.Telemetry) (*upstream.Forwarder, error) {
	addresses, err := c.Upstream.addresses()
	if err != nil {
		return nil, err
	}
	if err := c.CheckTrusted(trust.Gateway, c.TrustedKeys); err != nil {
		return nil, err
	}
	signer, err := principal.NewSigner(c.SigningKey, c.TrustedKeys)
	if err != nil {
		return nil, fmt.Errorf("TRUSTED_KEYS: %w", err)
	}
	secured, err := c.RPC.TLS.Dialer(upstream.NewDialer(), tel.Logger)
	if err != nil {
		return nil, err
	}
	return upstream.New(upstream.Options{
		Addresses: addresses, Longest: c.Upstream.longest(), DialTLS: secured, Signer: signer, Telemetry: tel,
	}), nil
}

// addresses returns the services that have one.
func (c *UpstreamConfig) addresses() (map[operation.Service]*url.URL, error) {
	settings := []struct {
		upstream operation.Service
		name     string
		value    string
	}{
		{operation.Orders, "ORDERS_URL", c.OrdersURL}, {operation.Claims, "CLAIMS_URL", c.ClaimsURL}, {operation.QnA, "QNA_URL", c.QnAURL},
	}
	addresses := map[operation.Service]*url.URL{}
	var problems []error
	for _, setting := range settings {
		if setting.value == "" {
			continue
		}
		address, err := url.Parse(setting.value)
		if err != nil || !isOrigin(address) {
			problems = append(problems, fmt.Errorf("%s: expected http://host:port without a path", setting.name))
			continue
		}
		addresses[setting.upstream] = address
	}
	return addresses, errors.Join(problems...)
}

// isOrigin admits scheme and host alone. A path would be signed by us and not by what the service sees, and a password
// in an address is a secret in the wrong place.
func isOrigin(address *url.URL) bool {
	return (address.Scheme == "http" || address.Scheme == "https") && address.Host != "" && address.User == nil &&
		(address.Path == "" || address.Path == "/") && address.RawQuery == "" && address.Fragment == ""
}
