// Package trusttest gives tests the keys of every party, the same in every process.
package trusttest

import (
	"crypto/sha256"
	"encoding/base64"
	"strings"

	"sellerapi.dev/pkg/trust"
)

// Key is the private key of a party.
func Key(party trust.Party) trust.PrivateKey { return Named(string(party)) }

// Named is the private key that belongs to a name: a party's next key, or that of a stranger.
func Named(name string) trust.PrivateKey {
	seed := sha256.Sum256([]byte("trusttest " + name))
	key, err := trust.ParsePrivateKey(base64.StdEncoding.EncodeToString(seed[:]))
	if err != nil {
		panic(err) // a digest has the length of a seed
	}
	return key
}

// Keys are the public keys of all parties that a live installation trusts.
func Keys() trust.PublicKeys {
	lines := make([]string, 0, len(trust.Parties()))
	for _, party := range trust.Parties() {
		if party != trust.Sandbox {
			lines = append(lines, Line(party, Key(party)))
		}
	}
	return Parse(lines...)
}

// WithSandbox are Keys and that of the sandbox, as a test environment trusts them.
func WithSandbox() trust.PublicKeys {
	return Parse(Keys().String(), Line(trust.Sandbox, Key(trust.Sandbox)))
}

// Line is a party with the public key that belongs to a private one, as trust.ParsePublicKeys reads it.
func Line(party trust.Party, key trust.PrivateKey) string { return string(party) + "=" + key.Public() }

// Parse reads lines of public keys.
func Parse(lines ...string) trust.PublicKeys {
	keys, err := trust.ParsePublicKeys(strings.Join(lines, "\n"))
	if err != nil {
		panic(err) // a mistake in the test
	}
	return keys
}
