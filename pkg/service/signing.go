package service

import (
	"fmt"

	"sellerapi.dev/pkg/trust"
)

// SigningConfig is the key with which a service signs its calls. Embed it in the service's own configuration.
type SigningConfig struct {
	SigningKey trust.PrivateKey `name:"signing-key" env:"SIGNING_KEY" required:"" help:"Private key by which the other services authenticate this one: base64 of the 32 bytes of an Ed25519 seed. Its public key is among the TRUSTED_KEYS of all services."`
}

// Validate returns an error if there is no signing key.
func (c *SigningConfig) Validate() error {
	if _, err := c.SigningKey.Open(); err != nil {
		return fmt.Errorf("SIGNING_KEY: %w", err)
	}
	return nil
}

// CheckTrusted returns an error for a private key of the party that is not among the same public keys, so that a rotation with
// its steps in the wrong order stops at the first pod.
func (c *SigningConfig) CheckTrusted(party trust.Party, trusted trust.PublicKeys) error {
	if err := trusted.Check(party, c.SigningKey); err != nil {
		return fmt.Errorf("SIGNING_KEY: %w", err)
	}
	return nil
}
