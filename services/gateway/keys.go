package gateway

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"strings"
	"time"

	"connectrpc.com/connect"
	"github.com/prometheus/client_golang/prometheus"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/service"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/proto/gen/gateway/v1/gatewayv1connect"
	"sellerapi.dev/services/gateway/internal/apikey"
	"sellerapi.dev/services/gateway/internal/keysrpc"
	"sellerapi.dev/services/gateway/internal/store"
)

// KeyConfig configures how key texts are generated, parsed and encrypted.
type KeyConfig struct {
	Environment string      `name:"environment" env:"ENVIRONMENT" enum:"live,test" required:"" help:"Environment: live or test. It determines which keys are issued and accepted."`
	Pepper      secret.Keys `name:"key-pepper" env:"KEY_PEPPER" required:"" help:"Pepper of API keys: base64 of at least 32 bytes, optionally followed by a comma and previous ones. A previous one must stay for as long as keys issued under it are to be accepted."`
	Keyset      secret.Text `name:"key-encryption-keyset" env:"KEY_ENCRYPTION_KEYSET" required:"" help:"Key set that encrypts API keys, as printed by 'gateway keyset new'."`

	PerSeller KeysPerSeller `name:"keys-per-seller" env:"KEYS_PER_SELLER" default:"active=5,daily=10" help:"Maximum number of a seller's active keys, and of those issued to it in any 24 hours. Each key has the limits below, so a seller has at most as many times these as it may have active keys."`

	// Rest is how long an ended key still counts towards a seller's maximum number of keys; nil means the rate limit window plus the time
	// in which a revocation reaches every gateway.
	Rest *time.Duration `kong:"-"`

	// ShownFile is a file with a key that /docs/start shows to every visitor; empty: none. It is not configurable: only a system that
	// runs on a developer's machine has one.
	ShownFile string `kong:"-"`
}

// KeysPerSeller limits the keys of a seller.
type KeysPerSeller struct {
	// Active is the maximum number of active keys.
	Active int
	// Daily is the maximum number of keys issued in any 24 hours.
	Daily int
}

// UnmarshalText parses "active=N,daily=N".
func (k *KeysPerSeller) UnmarshalText(text []byte) error {
	var parsed KeysPerSeller
	if _, err := fmt.Sscanf(string(text), "active=%d,daily=%d", &parsed.Active, &parsed.Daily); err != nil || parsed.String() != string(text) {
		return errPerSeller
	}
	*k = parsed
	return nil
}

// String returns the form that UnmarshalText parses.
func (k KeysPerSeller) String() string { return fmt.Sprintf("active=%d,daily=%d", k.Active, k.Daily) }

// limits returns the limits of a seller's keys, given the rate limit window.
func (c *KeyConfig) limits(window time.Duration) apikey.Limits {
	limits := apikey.Limits{Active: c.PerSeller.Active, PerDay: c.PerSeller.Daily, Rest: apikey.RestFor(window)}
	if c.Rest != nil {
		limits.Rest = *c.Rest
	}
	return limits
}

// Validate returns an error for invalid key settings.
func (c *KeyConfig) Validate() error {
	_, _, err := c.open()
	if c.PerSeller.Active < 1 || c.PerSeller.Daily < 1 {
		err = errors.Join(errPerSeller, err)
	}
	if c.ShownFile != "" && c.Environment != string(apikey.Test) {
		err = errors.Join(errShown, err)
	}
	return err
}

// The errors of the key settings.
var (
	errPerSeller = errors.New("KEYS_PER_SELLER must be active=N,daily=N, each at least 1")
	errShown     = errors.New("a key may be shown only where ENVIRONMENT is test: everyone who reads /docs sees it")
)

// shown returns the key shown to developers; empty if there is none yet.
func (c *KeyConfig) shown() string {
	text, err := os.ReadFile(c.ShownFile)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// open returns the Texts and the Vault that the settings describe.
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

// serveKeys adds the key RPCs to the service, and returns the verifier of the key texts in calls. Key changes are passed to
// publish.
func (c *Config) serveKeys(
	s *service.Shell, kept *store.Store, publish func(context.Context, apikey.Key) error,
) (*apikey.Verifier, error) {
	texts, vault, err := c.Keys.open()
	if err != nil {
		return nil, err
	}
	record := keysrpc.NewRecorder(kept.RecordRefusal, s.Telemetry.Logger)
	handler := keysrpc.New(apikey.NewKeys(texts, vault, kept, c.Keys.limits(c.Limits.Window), publish))
	s.RPC(gatewayv1connect.NewKeysHandler(handler, s.RPCOptions(record), connect.WithReadMaxBytes(keysrpc.MaxMessageBytes)))
	read := s.Telemetry.Counter(telemetry.KeyLookups)
	verifier := apikey.NewVerifier(texts, apikey.Lookup(kept.FindKey).Counted(read.WithLabelValues("call")), apikey.LookupTimeout)
	start := &preload{
		verifier: verifier, database: s.DatabaseCheck().Probe, list: kept.ListActiveKeys, log: s.Telemetry.Logger,
		read: read.WithLabelValues("preload"), outcomes: s.Telemetry.Counter(telemetry.KeyPreloads),
	}
	s.Checks(service.Check{Name: "keys_at_start", Once: true, Probe: start.try})
	return verifier, nil
}

// preloadTries is how often the active keys are read before the instance becomes ready without them. A try takes a second at most and
// another one passes before the next.
const preloadTries = 3

// preload caches the active keys at the start. Otherwise the first call of every client to a new instance would need the database, in a
// rolling update at the very moment when many instances connect to it.
type preload struct {
	verifier *apikey.Verifier
	database func(context.Context) error
	list     func(context.Context, int) ([]apikey.Found, error)
	log      *slog.Logger
	read     prometheus.Counter
	outcomes *prometheus.CounterVec

	failed int // tries; a probe never runs twice at the same time
}

// try is the probe of the check that succeeds as soon as the keys are cached, or after preloadTries: a database that is too slow for
// the list may still be quick enough for single keys, and an instance that looks them up is better than none. Tries without a database,
// or before its first migration, do not count, because the instance cannot serve then.
func (p *preload) try(ctx context.Context) error {
	if err := p.database(ctx); err != nil && !errors.Is(err, postgres.ErrReadOnly) {
		return err
	}
	keys, err := p.list(ctx, apikey.MaxPreload)
	if err == nil {
		p.verifier.Preload(keys)
		p.read.Add(float64(len(keys)))
		p.outcomes.WithLabelValues("done").Inc()
		return nil
	}
	if p.failed++; p.failed < preloadTries {
		return err
	}
	p.log.WarnContext(ctx, "keys not preloaded: each is looked up at its first call", "tries", p.failed, "error", err)
	p.outcomes.WithLabelValues("given_up").Inc()
	return nil
}
