package trust

import (
	"bytes"
	"crypto/ed25519"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Party is a party that signs with its own key.
type Party string

// The parties; package doc says what each does with its key.
const (
	Gateway Party = "gateway"
	Orders  Party = "orders"
	Claims  Party = "claims"
	QnA     Party = "qna"
	Console Party = "console"
	Issuer  Party = "issuer"
	// Sandbox exists in test environments only: no live installation trusts a key of it.
	Sandbox Party = "sandbox"
)

// Services returns the parties behind the gateway. Scopes, the parties that principals are signed for and the services of the
// operation table derive from it.
func Services() []Party { return []Party{Orders, Claims, QnA} }

// Parties returns all of them.
func Parties() []Party {
	return append(append([]Party{Gateway}, Services()...), Console, Issuer, Sandbox)
}

// ErrNoPublicKeys says that no public keys are trusted.
var ErrNoPublicKeys = errors.New("no public key given; expected PARTY=KEY, each KEY base64 of 32 bytes, separated by commas " +
	"or white space")

// PublicKeys are the keys by which parties are recognised. A party may have several, all of which count, so that
// a rotation has no moment without one. The zero value trusts no key.
type PublicKeys struct {
	byParty map[Party][]ed25519.PublicKey
}

// ParsePublicKeys reads "gateway=KEY,gateway=KEY,claims=KEY", separated by commas, white space or both. An error names the
// position of what is wrong.
func ParsePublicKeys(text string) (PublicKeys, error) {
	keys := PublicKeys{byParty: map[Party][]ed25519.PublicKey{}}
	for i, part := range strings.FieldsFunc(text, isSeparator) {
		name, written, _ := strings.Cut(part, "=")
		party := Party(name)
		if !slices.Contains(Parties(), party) {
			return PublicKeys{}, fmt.Errorf("public key %d: no known party; expected PARTY=KEY with one of the parties %v", i+1, Parties())
		}
		key, err := decode(written)
		if err != nil {
			return PublicKeys{}, fmt.Errorf("public key %d, of %s: %w", i+1, party, err)
		}
		if other, taken := keys.owner(key); taken && other != party {
			return PublicKeys{}, fmt.Errorf("public key %d, of %s: is also that of %s; each party needs its own key", i+1, party, other)
		}
		keys.byParty[party] = append(keys.byParty[party], key)
	}
	if keys.IsZero() {
		return PublicKeys{}, ErrNoPublicKeys
	}
	return keys, nil
}

// owner returns the party that has a key already. The sign of a point makes no difference: the secret that is agreed on with it
// is the same.
func (k PublicKeys) owner(key ed25519.PublicKey) (Party, bool) {
	for party, known := range k.byParty {
		if slices.ContainsFunc(known, func(one ed25519.PublicKey) bool { return samePoint(one, key) }) {
			return party, true
		}
	}
	return "", false
}

// samePoint compares all of two keys but the bit that is the sign.
func samePoint(a, b ed25519.PublicKey) bool {
	const last, sign = ed25519.PublicKeySize - 1, 0x80
	return bytes.Equal(a[:last], b[:last]) && a[last]|sign == b[last]|sign
}

// CheckEnvironment returns an error when a key of the sandbox is trusted outside of the environment test.
func (k PublicKeys) CheckEnvironment(environment string) error {
	if environment != "test" && len(k.Of(Sandbox)) > 0 {
		return fmt.Errorf("a key of %s is trusted, which acts for customers of all sellers: only where ENVIRONMENT is test", Sandbox)
	}
	return nil
}

func isSeparator(r rune) bool { return strings.ContainsRune(", \t\r\n", r) }

// UnmarshalText parses the format of ParsePublicKeys.
func (k *PublicKeys) UnmarshalText(text []byte) error {
	parsed, err := ParsePublicKeys(string(text))
	if err != nil {
		return err
	}
	*k = parsed
	return nil
}

// IsZero reports whether no key is trusted.
func (k PublicKeys) IsZero() bool { return len(k.byParty) == 0 }

// Of returns the keys of a party; none if it is not trusted.
func (k PublicKeys) Of(party Party) []ed25519.PublicKey { return slices.Clone(k.byParty[party]) }

// Check returns an error for a private key of the party whose public key is not among these.
func (k PublicKeys) Check(party Party, key PrivateKey) error {
	opened, err := key.Open()
	if err != nil {
		return err
	}
	for _, known := range k.byParty[party] {
		if known.Equal(opened.Public()) {
			return nil
		}
	}
	return fmt.Errorf("its public key is not among the trusted keys of %s", party)
}

// String returns the keys in the format of ParsePublicKeys.
func (k PublicKeys) String() string {
	var parts []string
	for _, party := range Parties() {
		for _, key := range k.byParty[party] {
			parts = append(parts, string(party)+"="+encoding.EncodeToString(key))
		}
	}
	return strings.Join(parts, ",")
}
