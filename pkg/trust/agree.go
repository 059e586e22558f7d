package trust

import (
	"crypto/ecdh"
	"crypto/ed25519"
	"crypto/hkdf"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"

	"filippo.io/edwards25519"
)

// SecretBytes is the length of a shared secret.
const SecretBytes = sha256.Size

// Agree returns the secret that the owner of this private key shares with that of a public one: both compute the same, and no
// other party can. purpose separates the secrets for different uses. It is ErrNoPrivateKey for the zero value, and an error for
// bytes that are no public key, or one of those that would make the secret known to everyone.
func (k PrivateKey) Agree(with ed25519.PublicKey, purpose string) ([]byte, error) {
	own, err := k.Open()
	if err != nil {
		return nil, err
	}
	point, err := new(edwards25519.Point).SetBytes(with)
	if err != nil {
		return nil, fmt.Errorf("public key: %w", err)
	}
	other, err := ecdh.X25519().NewPublicKey(point.BytesMontgomery())
	if err != nil {
		return nil, fmt.Errorf("public key: %w", err)
	}
	// The scalar of an Ed25519 key is the first half of its seed's digest (RFC 8032, 5.1.5); X25519 clamps it as Ed25519 does.
	digest := sha512.Sum512(own.Seed())
	scalar, err := ecdh.X25519().NewPrivateKey(digest[:32])
	if err != nil {
		return nil, fmt.Errorf("private key: %w", err)
	}
	shared, err := scalar.ECDH(other)
	if err != nil {
		return nil, fmt.Errorf("public key: %w", err)
	}
	return hkdf.Key(sha256.New, shared, nil, "seller-open-api "+purpose, SecretBytes)
}
