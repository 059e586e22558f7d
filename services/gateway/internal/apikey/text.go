package apikey

import (
	"crypto/hkdf"
	"crypto/hmac"
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"sync"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/secret"
)

// The sizes of a key text, in characters.
const (
	// TextChars is the length of every key text.
	TextChars = markChars + digitsOf128 + secretChars + digitsOf128
	// PrefixChars is the number of characters that may be shown in lists and logs.
	PrefixChars = 12

	markChars   = len("vpk_live_")
	secretChars = 27 // 62^27 > 2^160
	macStart    = TextChars - digitsOf128
)

// Environment is the environment of a deployment. A key of one is not valid in the other.
type Environment string

// The two environments.
const (
	Live Environment = "live"
	Test Environment = "test"
)

// mark returns the prefix of every key text of the environment.
func (e Environment) mark() string { return "vpk_" + string(e) + "_" }

// The reasons for refusing a text without a look-up. The client never learns which of them applied.
var (
	// ErrMalformed says that the text does not have the length or the prefix of a key text.
	ErrMalformed = errors.New("malformed API key")
	// ErrOtherEnvironment says that the text belongs to the other environment.
	ErrOtherEnvironment = errors.New("API key of the other environment")
	// ErrForged says that the MAC matches no pepper: mistyped, invented, or made with a pepper no longer listed.
	ErrForged = errors.New("the checksum of the API key does not match")
)

// Hash is the look-up hash of a key.
type Hash [sha256.Size]byte

// Texts generates and parses key texts of one environment. It is safe for concurrent use.
type Texts struct {
	environment Environment
	peppers     []*derived // current first
}

// derived are the keyed hashes derived from one pepper.
type derived struct{ mac, hash, row *keyed }

// NewTexts returns the Texts of an environment. The current pepper generates texts; every listed pepper is accepted when parsing.
// Errors: an unknown environment, no pepper.
func NewTexts(environment Environment, peppers secret.Keys) (*Texts, error) {
	if environment != Live && environment != Test {
		return nil, fmt.Errorf("unknown environment %q", environment)
	}
	if peppers.IsZero() {
		return nil, secret.ErrNoKeys
	}
	texts := &Texts{environment: environment}
	for _, pepper := range append([][]byte{peppers.Current()}, peppers.Previous()...) {
		keys, err := derive(pepper)
		if err != nil {
			return nil, err
		}
		texts.peppers = append(texts.peppers, keys)
	}
	return texts, nil
}

func derive(pepper []byte) (*derived, error) {
	mac, err := hkdf.Expand(sha256.New, pepper, "seller api key: check of the text, 1", sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("derive the checksum key: %w", err)
	}
	hash, err := hkdf.Expand(sha256.New, pepper, "seller api key: look-up hash, 1", sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("derive the lookup key: %w", err)
	}
	row, err := hkdf.Expand(sha256.New, pepper, "seller api key: seal of the row, 1", sha256.Size)
	if err != nil {
		return nil, fmt.Errorf("derive the key of row MACs: %w", err)
	}
	return &derived{mac: newKeyed(mac), hash: newKeyed(hash), row: newKeyed(row)}, nil
}

// New generates a text for a key id with a fresh secret, and returns its hash. Two calls with one id return different texts.
func (t *Texts) New(id uuid.UUID) (secret.Text, Hash) {
	body := t.environment.mark() + encode128(id) + randomDigits(secretChars)
	pepper := t.peppers[0]
	text := body + encode128(pepper.check(body))
	return secret.New(text), pepper.lookup(text)
}

// Read returns the hash of a text that this deployment issued; the key may have ended since. Errors: ErrMalformed,
// ErrOtherEnvironment, ErrForged. It makes no look-up and takes the same time for every text with the right format.
func (t *Texts) Read(text string) (Hash, error) {
	if len(text) != TextChars {
		return Hash{}, ErrMalformed
	}
	switch Environment(text[len("vpk_") : markChars-1]) {
	case t.environment:
	case Live, Test:
		return Hash{}, ErrOtherEnvironment
	default:
		return Hash{}, ErrMalformed
	}
	for _, pepper := range t.peppers {
		if pepper.made(text) {
			return pepper.lookup(text), nil
		}
	}
	return Hash{}, ErrForged
}

// check returns the MAC of a text's body, whose digits are the end of the text.
func (d *derived) check(body string) [16]byte {
	sum := d.mac.sum(body)
	return [16]byte(sum[:])
}

// made reports whether a text ends in the MAC of its body.
func (d *derived) made(text string) bool {
	return hmac.Equal([]byte(text[macStart:]), []byte(encode128(d.check(text[:macStart]))))
}

// lookup returns the look-up hash of a text.
func (d *derived) lookup(text string) Hash { return d.hash.sum(text) }

// keyed is HMAC-SHA-256 with one key, initialized once and not per request.
type keyed struct{ ready sync.Pool }

// inUse is a pooled hash with input and output buffers.
type inUse struct {
	hash.Hash
	buffer []byte
}

func newKeyed(key []byte) *keyed {
	return &keyed{ready: sync.Pool{New: func() any { return &inUse{Hash: hmac.New(sha256.New, key)} }}}
}

func (k *keyed) sum(text string) (sum [sha256.Size]byte) {
	mac := k.ready.Get().(*inUse)
	defer k.ready.Put(mac)
	mac.Reset()
	mac.buffer = append(mac.buffer[:0], text...)
	_, _ = mac.Write(mac.buffer) // hash.Hash.Write never fails
	mac.buffer = mac.Sum(mac.buffer[:0])
	return [sha256.Size]byte(mac.buffer)
}
