package stack

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"sellerapi.dev/pkg/secret"
	"sellerapi.dev/pkg/trust"
	"sellerapi.dev/services/gateway"
)

// Secrets are all secrets with which the services sign, hash and encrypt. Cursors, key hashes and key texts that were
// written with one set can be read with that set only.
type Secrets struct {
	// Private holds the private keys of all parties.
	Private map[trust.Party]*secret.Text
	// Cursor signs cursors.
	Cursor secret.Text
	// KeyPepper and KeyKeyset hash and encrypt API keys.
	KeyPepper, KeyKeyset secret.Text
}

// NewSecrets generates a random set.
func NewSecrets() (Secrets, error) {
	var keyset bytes.Buffer
	if err := gateway.NewCommands().Keyset.New.Run(&keyset); err != nil {
		return Secrets{}, fmt.Errorf("create a key set: %w", err)
	}
	private := map[trust.Party]*secret.Text{}
	for _, party := range trust.Parties() {
		private[party] = new(newKey())
	}
	return Secrets{
		Private: private, Cursor: newKey(), KeyPepper: newKey(),
		KeyKeyset: secret.New(strings.TrimSpace(keyset.String())),
	}, nil
}

// Keys parses the private keys of the parties, and derives the public ones. The error names all that are invalid.
func (s *Secrets) Keys() (map[trust.Party]trust.PrivateKey, trust.PublicKeys, error) {
	private := map[trust.Party]trust.PrivateKey{}
	var problems []error
	var public []string
	for _, party := range trust.Parties() {
		key, err := trust.ParsePrivateKey(s.Private[party].Reveal())
		if err != nil {
			problems = append(problems, fmt.Errorf("secret of %s: %w", party, err))
			continue
		}
		private[party] = key
		public = append(public, string(party)+"="+key.Public())
	}
	if len(problems) > 0 {
		return nil, trust.PublicKeys{}, errors.Join(problems...)
	}
	trusted, err := trust.ParsePublicKeys(strings.Join(public, ","))
	return private, trusted, err
}

func newKey() secret.Text {
	key := make([]byte, secret.MinKeyBytes)
	_, _ = rand.Read(key) // never fails
	return secret.New(base64.StdEncoding.EncodeToString(key))
}

// Named returns the secrets by name, for storing them in a file that only their owner can read.
func (s *Secrets) Named() map[string]*secret.Text {
	all := map[string]*secret.Text{"cursor": &s.Cursor, "key_pepper": &s.KeyPepper, "key_keyset": &s.KeyKeyset}
	for party, key := range s.Private {
		all[string(party)+"_key"] = key
	}
	return all
}
