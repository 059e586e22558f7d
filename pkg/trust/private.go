package trust

import (
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"fmt"

	"sellerapi.dev/pkg/secret"
)

// ErrNoPrivateKey says that a party has no private key.
var ErrNoPrivateKey = errors.New("no private key given; expected base64 of the 32 bytes of an Ed25519 seed")

// PrivateKey is the private key of a party. The zero value is no key. It always prints as a mask.
type PrivateKey struct{ secret.Text }

// ParsePrivateKey reads a private key, white space around it ignored. The error never quotes it.
func ParsePrivateKey(text string) (PrivateKey, error) {
	seed, err := decode(text)
	if err != nil {
		return PrivateKey{}, fmt.Errorf("private key: %w", err)
	}
	return PrivateKey{secret.New(encoding.EncodeToString(seed))}, nil
}

// UnmarshalText parses the format of ParsePrivateKey.
func (k *PrivateKey) UnmarshalText(text []byte) error {
	parsed, err := ParsePrivateKey(string(text))
	if err != nil {
		return err
	}
	*k = parsed
	return nil
}

// Open returns the key for signing. It is ErrNoPrivateKey for the zero value.
func (k PrivateKey) Open() (ed25519.PrivateKey, error) {
	if k.IsZero() {
		return nil, ErrNoPrivateKey
	}
	seed, err := decode(k.Reveal())
	if err != nil {
		return nil, fmt.Errorf("private key: %w", err)
	}
	return ed25519.NewKeyFromSeed(seed), nil
}

// Public returns the public key that belongs to it, as PublicKeys are written; empty for the zero value.
func (k PrivateKey) Public() string {
	key, err := k.Open()
	if err != nil {
		return ""
	}
	return encoding.EncodeToString(key.Public().(ed25519.PublicKey))
}

var encoding = base64.StdEncoding

// keyBytes is the length of a seed and of a public key.
const keyBytes = ed25519.SeedSize

// decode reads 32 bytes of base64 as secret.DecodeKey does. An error never quotes the key.
func decode(text string) ([]byte, error) {
	raw, err := secret.DecodeKey(text)
	if err == nil && len(raw) != keyBytes {
		return nil, fmt.Errorf("%d bytes long; a key has %d", len(raw), keyBytes)
	}
	return raw, err
}
