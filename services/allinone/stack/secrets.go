package stack

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"fmt"
	"strings"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/services/gateway"
)

// Secrets are all that the services sign, hash and encrypt with. Data that were written under one set
// can be read with that set only: cursors, keys, key texts.
type Secrets struct {
	// GatewayKey, ClaimsKey and IssuerKey are the private keys of the parties; see package trust.
	GatewayKey, ClaimsKey, IssuerKey secret.Text
	// Cursor signs positions in lists.
	Cursor secret.Text
	// KeyPepper and KeyKeyset are what API keys are hashed and encrypted with.
	KeyPepper, KeyKeyset secret.Text
}

// NewSecrets draws a set at random.
func NewSecrets() (Secrets, error) {
	var keyset bytes.Buffer
	if err := gateway.NewCommands().Keyset.New.Run(&keyset); err != nil {
		return Secrets{}, fmt.Errorf("make a key set: %w", err)
	}
	return Secrets{
		GatewayKey: newKey(), ClaimsKey: newKey(), IssuerKey: newKey(), Cursor: newKey(), KeyPepper: newKey(),
		KeyKeyset: secret.New(strings.TrimSpace(keyset.String())),
	}, nil
}

// newKey is a key in the form in which the services take it.
func newKey() secret.Text {
	key := make([]byte, secret.MinKeyBytes)
	_, _ = rand.Read(key) // never fails
	return secret.New(base64.StdEncoding.EncodeToString(key))
}

// Named lists the secrets by name, for keeping them in a file of their owner.
func (s *Secrets) Named() map[string]*secret.Text {
	return map[string]*secret.Text{
		"gateway_key": &s.GatewayKey, "claims_key": &s.ClaimsKey, "issuer_key": &s.IssuerKey, "cursor": &s.Cursor,
		"key_pepper": &s.KeyPepper, "key_keyset": &s.KeyKeyset,
	}
}
