package apikey

import (
	"crypto/hkdf"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"sellerapi.dev/pkg/secret"
)

// Config configures how key texts are generated, parsed and encrypted.
type Config struct {
	Environment string      `name:"environment" env:"ENVIRONMENT" enum:"live,test" required:"" help:"Environment: live or test. It determines which keys are issued and accepted."`
	Pepper      secret.Keys `name:"key-pepper" env:"KEY_PEPPER" required:"" help:"Pepper of API keys: base64 of at least 32 bytes, optionally followed by a comma and previous ones. A previous one must stay for as long as keys issued under it are to be accepted."`
	Keyset      secret.Text `name:"key-encryption-keyset" env:"KEY_ENCRYPTION_KEYSET" required:"" help:"Key set that encrypts API keys, as printed by 'gateway keyset new'."`

	PerSeller PerSeller `name:"keys-per-seller" env:"KEYS_PER_SELLER" default:"active=5,daily=10" help:"Maximum number of a seller's active keys, and of those issued to it in any 24 hours. Each key has the limits below, so a seller has at most as many times these as it may have active keys."`

	// Rest is how long an ended key still counts towards a seller's maximum number of keys; nil means the rate limit window plus
	// the time in which a revocation reaches every gateway.
	Rest *time.Duration `kong:"-"`

	// ShownFile is a file with a key that /docs/start shows to every visitor; empty: none. It is not configurable: only a system
	// that runs on a developer's machine has one.
	ShownFile string `kong:"-"`
}

// PerSeller limits the keys of a seller.
type PerSeller struct {
	// Active is the maximum number of active keys.
	Active int
	// Daily is the maximum number of keys issued in any 24 hours.
	Daily int
}

// UnmarshalText parses "active=N,daily=N".
func (k *PerSeller) UnmarshalText(text []byte) error {
	var parsed PerSeller
	if _, err := fmt.Sscanf(string(text), "active=%d,daily=%d", &parsed.Active, &parsed.Daily); err != nil ||
		parsed.String() != string(text) {
		return errPerSeller
	}
	*k = parsed
	return nil
}

// String returns the form that UnmarshalText parses.
func (k PerSeller) String() string { return fmt.Sprintf("active=%d,daily=%d", k.Active, k.Daily) }

// CursorKeys returns the keys that sign the cursors of lists that the gateway answers itself, derived from the peppers.
func (c *Config) CursorKeys() (secret.Keys, error) {
	if c.Pepper.IsZero() {
		return secret.Keys{}, secret.ErrNoKeys
	}
	peppers := append([][]byte{c.Pepper.Current()}, c.Pepper.Previous()...)
	for i, pepper := range peppers {
		key, err := hkdf.Expand(sha256.New, pepper, "seller api: cursors of the gateway, 1", sha256.Size)
		if err != nil {
			return secret.Keys{}, fmt.Errorf("derive a cursor key: %w", err)
		}
		peppers[i] = key
	}
	return secret.NewKeys(peppers[0], peppers[1:]...)
}

// Limits returns the limits of a seller's keys, given the rate limit window.
func (c *Config) Limits(window time.Duration) Limits {
	limits := Limits{Active: c.PerSeller.Active, PerDay: c.PerSeller.Daily, Rest: RestFor(window)}
	if c.Rest != nil {
		limits.Rest = *c.Rest
	}
	return limits
}

// Validate returns an error for invalid key settings.
func (c *Config) Validate() error {
	_, _, err := c.Open()
	if c.PerSeller.Active < 1 || c.PerSeller.Daily < 1 {
		err = errors.Join(errPerSeller, err)
	}
	if c.ShownFile != "" && c.Environment != string(Test) {
		err = errors.Join(errShown, err)
	}
	return err
}

// The errors of the key settings.
var (
	errPerSeller = errors.New("KEYS_PER_SELLER must be active=N,daily=N, each at least 1")
	errShown     = errors.New("a key may be shown only where ENVIRONMENT is test: everyone who reads /docs sees it")
)

// Shown returns the key shown to developers; empty if there is none yet.
func (c *Config) Shown() string {
	text, err := os.ReadFile(c.ShownFile)
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// Open returns the Texts and the Vault that the settings describe.
func (c *Config) Open() (*Texts, *Vault, error) {
	texts, textsErr := NewTexts(Environment(c.Environment), c.Pepper)
	if textsErr != nil {
		textsErr = fmt.Errorf("ENVIRONMENT, KEY_PEPPER: %w", textsErr)
	}
	vault, vaultErr := NewVault(c.Keyset)
	if vaultErr != nil {
		vaultErr = fmt.Errorf("KEY_ENCRYPTION_KEYSET: %w", vaultErr)
	}
	return texts, vault, errors.Join(textsErr, vaultErr)
}
