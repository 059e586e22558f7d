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

// Secrets are all that the services sign, hash and encrypt with. Data that were written under one set
// can be read with that set only: cursors, keys, key texts.
type Secrets struct {
	// Private are the private keys of all parties.
	Private map[trust.Party]*secret.Text
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
	private := map[trust.Party]*secret.Text{}
	for _, party := range trust.Parties() {
		private[party] = new(newKey())
	}
	return Secrets{Private: private, Cursor: newKey(), KeyPepper: newKey(), KeyKeyset: secret.New(strings.TrimSpace(keyset.String()))}, nil
}

// Keys reads the private keys of the parties, and gives the public ones that belong to them. The error names all that are wrong.
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

// newKey is a key in the form in which the services take it.
func newKey() secret.Text {
	key := make([]byte, secret.MinKeyBytes)
	_, _ = rand.Read(key) // never fails
	return secret.New(base64.StdEncoding.EncodeToString(key))
}

// Named lists the secrets by name, for keeping them in a file of their owner.
func (s *Secrets) Named() map[string]*secret.Text {
	all := map[string]*secret.Text{"cursor": &s.Cursor, "key_pepper": &s.KeyPepper, "key_keyset": &s.KeyKeyset}
	for party, key := range s.Private {
		all[string(party)+"_key"] = key
	}
	return all
}
