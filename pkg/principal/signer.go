package principal

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"net/http"
	"time"

	"sellerapi.dev/pkg/trust"
)

// Header carries the signed principal from the gateway to a service.
const Header = "X-Seller-Principal"

const (
	// Life is how long a signed principal is valid: long enough to be sent and read, too short to be of use to an attacker.
	Life = 5 * time.Second
	// Skew is how far the clocks of signer and verifier may differ. With it, a header is accepted for ten seconds at most.
	Skew = 5 * time.Second
)

// The headers other than Header that only the gateway may write. It removes inbound copies of all of them.
const (
	// InboxHeader carries the idempotency key of a process call to the owning service, and in the response its outcome; see package
	// inbox.
	InboxHeader = "X-Inbox"
	// RowsHeader is the number of rows in a response, for the gateway's row budget; absent on an error.
	RowsHeader = "X-Rows"
	// ClockHeader is the seller's clock, in microseconds since 1970, in a response without records after a position of a list;
	// absent otherwise. The gateway may hold the call until the clock is another one.
	ClockHeader = "X-Seller-Clock"
)

// Reasons why a header was refused. They are for the log; the caller only learns that it was refused.
var (
	ErrMissing   = errors.New("no signed principal")
	ErrMalformed = errors.New("signed principal is malformed")
	ErrSignature = errors.New("signed principal does not verify for this method, target and idempotency record")
	ErrExpired   = errors.New("signed principal is expired")
	ErrFuture    = errors.New("signed principal expires too far in the future")
	ErrBody      = errors.New("signed principal is for another body")
)

// maxHeaderBytes bounds the work that an unauthenticated header can cause.
const maxHeaderBytes = 1024

// label separates these codes from any other use of the same secret.
const label = "seller-principal/3"

// encoding is strict: every header has exactly one encoding.
var encoding = base64.RawURLEncoding.Strict()

// purpose returns the purpose of the secret of the gateway and a service. It includes the direction: a service cannot send a
// header back.
func purpose(service trust.Party) string { return label + " to " + string(service) }

// maxKeys is the largest number of keys of a party: it has one, and a second one during a rotation.
const maxKeys = 4

// Signer signs principals. It is safe for concurrent use.
type Signer struct {
	// secrets are those shared with each service, one for each of its public keys.
	secrets map[trust.Party][][]byte
}

// NewSigner returns a signer for every service with the gateway's private key, and for the sandbox if a key of it is trusted. It
// returns trust.ErrNoPrivateKey without one, and an error if a service has no public key or too many.
func NewSigner(key trust.PrivateKey, trusted trust.PublicKeys) (*Signer, error) {
	s := &Signer{secrets: map[trust.Party][][]byte{}}
	parties := trust.Services()
	if len(trusted.Of(trust.Sandbox)) > 0 {
		parties = append(parties, trust.Sandbox)
	}
	for _, service := range parties {
		var err error
		if s.secrets[service], err = shared(key, trusted, service, purpose(service)); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// shared returns the secrets that a private key shares with each public key of a party.
func shared(key trust.PrivateKey, trusted trust.PublicKeys, with trust.Party, purpose string) ([][]byte, error) {
	public := trusted.Of(with)
	switch {
	case len(public) == 0:
		return nil, fmt.Errorf("no public key of %s: neither could authenticate the other", with)
	case len(public) > maxKeys:
		return nil, fmt.Errorf("%d public keys of %s; a rotation needs two, and at most %d are allowed", len(public), with, maxKeys)
	}
	secrets := make([][]byte, len(public))
	for i, one := range public {
		var err error
		if secrets[i], err = key.Agree(one, purpose); err != nil {
			return nil, fmt.Errorf("key %d of %s: %w", i+1, with, err)
		}
	}
	return secrets, nil
}

// Sign returns the header value for one call of p to a service, with the digest of its body. A scope that is not part of the
// API is left out, so it is not granted. A header for a party that is not a service is refused by every verifier.
func (s *Signer) Sign(to trust.Party, call Call, body BodyDigest, p Principal, now time.Time) string {
	secrets := s.secrets[to]
	payload := appendPayload(make([]byte, 0, 2*fixedBytes+256), len(secrets), p, body, now.Add(Life))
	message := call.message(payload)
	for _, secret := range secrets {
		payload = append(payload, codeOf(secret, message)...)
	}
	return encoding.EncodeToString(payload)
}

func codeOf(secret, message []byte) []byte {
	mac := hmac.New(sha256.New, secret)
	mac.Write(message)
	return mac.Sum(nil)
}

// Signed is the content of a verified header.
type Signed struct {
	Principal

	body BodyDigest
}

// CheckBody returns ErrBody when the call was signed with another body.
func (s Signed) CheckBody(body []byte) error {
	if DigestOf(body) != s.body {
		return ErrBody
	}
	return nil
}

// Verifier verifies the headers that the gateway has signed for a service. It is safe for concurrent use.
type Verifier struct {
	secrets [][]byte
}

// NewVerifier returns the verifier of a service with its private key and the gateway's public keys. It returns
// trust.ErrNoPrivateKey without the former, and an error without the latter.
func NewVerifier(service trust.Party, key trust.PrivateKey, trusted trust.PublicKeys) (*Verifier, error) {
	secrets, err := shared(key, trusted, trust.Gateway, purpose(service))
	if err != nil {
		return nil, err
	}
	return &Verifier{secrets: secrets}, nil
}

// VerifyRequest is Verify for a request that a server received.
func (v *Verifier) VerifyRequest(r *http.Request, now time.Time) (Signed, error) {
	call, header, err := incoming(r)
	if err != nil {
		return Signed{}, err
	}
	return v.Verify(call, header, now)
}

// Verify returns what the header was signed for. It returns one of ErrMissing, ErrMalformed, ErrSignature, ErrExpired and
// ErrFuture if the header must not be trusted for this call at this time. The caller must check the body against its digest
// when reading it.
func (v *Verifier) Verify(call Call, header string, now time.Time) (Signed, error) {
	if header == "" {
		return Signed{}, ErrMissing
	}
	if len(header) > maxHeaderBytes {
		return Signed{}, ErrMalformed
	}
	raw, err := encoding.DecodeString(header)
	if err != nil || len(header) != encoding.EncodedLen(len(raw)) {
		return Signed{}, ErrMalformed
	}
	payload, codes, ok := split(raw)
	if !ok {
		return Signed{}, ErrMalformed
	}
	if !v.verifies(call.message(payload), codes) {
		return Signed{}, ErrSignature
	}
	signed, expiry, ok := readPayload(payload)
	switch {
	case !ok:
		return Signed{}, ErrMalformed
	case now.After(expiry.Add(Skew)):
		return Signed{}, ErrExpired
	case expiry.After(now.Add(Life + Skew)):
		return Signed{}, ErrFuture
	}
	return signed, nil
}

// split separates the payload from the codes, by the number of codes in the payload.
func split(raw []byte) (payload, codes []byte, ok bool) {
	if len(raw) < fixedBytes || raw[1] > maxKeys {
		return nil, nil, false
	}
	end := len(raw) - int(raw[1])*sha256.Size
	if end < fixedBytes {
		return nil, nil, false
	}
	return raw[:end], raw[end:], true
}

// verifies reports whether one of the codes was computed with one of the secrets.
func (v *Verifier) verifies(message, codes []byte) bool {
	for _, secret := range v.secrets {
		expected := codeOf(secret, message)
		for at := 0; at < len(codes); at += sha256.Size {
			if hmac.Equal(expected, codes[at:at+sha256.Size]) {
				return true
			}
		}
	}
	return false
}

// message returns the signed message. Each part is preceded by its length, so that no two calls have the same message.
func (c Call) message(payload []byte) []byte {
	const lengths = 5 * 8
	out := make([]byte, 0, lengths+len(label)+len(c.Method)+len(c.Target)+len(c.Inbox)+len(payload))
	for _, part := range []string{label, c.Method, c.Target, c.Inbox} {
		out = append(binary.BigEndian.AppendUint64(out, uint64(len(part))), part...)
	}
	return append(binary.BigEndian.AppendUint64(out, uint64(len(payload))), payload...)
}
