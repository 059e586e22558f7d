package principal

import (
	"crypto/ed25519"
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
	// Life is how long a signed principal is valid: long enough to be sent and read, far below what a thief could use.
	Life = 10 * time.Second
	// Skew is how far the clocks of signer and verifier may differ.
	Skew = 5 * time.Second
)

// InternalHeaders returns the name of every header that only the gateway may write. The gateway removes inbound copies.
func InternalHeaders() []string { return []string{Header, InboxHeader, RowsHeader} }

// The internal headers besides Header.
const (
	// InboxHeader names a process call for the owning service's record of first answers, and carries back what became of
	// it; see package inbox.
	InboxHeader = "X-Inbox"
	// RowsHeader is how many rows an answer holds, for the gateway's row budget; absent on a refusal.
	RowsHeader = "X-Rows"
)

// Why a header was refused. None of it is for the caller, who is told nothing but "no"; it is for the log.
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

// label separates these signatures from any other use of the same key.
const label = "seller-principal/2"

// encoding is strict: every header has one spelling.
var encoding = base64.RawURLEncoding.Strict()

// Signer signs principals. It is safe for concurrent use.
type Signer struct {
	key ed25519.PrivateKey
}

// NewSigner returns a signer with the gateway's private key. It is trust.ErrNoPrivateKey without one.
func NewSigner(key trust.PrivateKey) (*Signer, error) {
	opened, err := key.Open()
	if err != nil {
		return nil, err
	}
	return &Signer{key: opened}, nil
}

// Sign returns the header value for one call of p with a body of this digest. A scope that is not of the interface is left
// out: what cannot be said is not granted.
func (s *Signer) Sign(call Call, body BodyDigest, p Principal, now time.Time) string {
	payload := appendPayload(make([]byte, 0, 2*fixedBytes+256), p, body, now.Add(Life))
	return encoding.EncodeToString(append(payload, ed25519.Sign(s.key, call.message(payload))...))
}

// Signed is what a header says that was verified.
type Signed struct {
	Principal

	body BodyDigest
}

// HasBody reports whether the call was signed with a body.
func (s Signed) HasBody() bool { return s.body != BodyDigest{} }

// CheckBody returns ErrBody when the call was signed with another body.
func (s Signed) CheckBody(body []byte) error {
	if DigestOf(body) != s.body {
		return ErrBody
	}
	return nil
}

// Verifier recognises what the gateway has signed. It is safe for concurrent use.
type Verifier struct {
	keys []ed25519.PublicKey
}

// NewVerifier returns a verifier with the public keys of the gateway. It fails when there is none.
func NewVerifier(trusted trust.PublicKeys) (*Verifier, error) {
	keys := trusted.Of(trust.Gateway)
	if len(keys) == 0 {
		return nil, fmt.Errorf("no public key of %s: nothing that it signs would be recognised", trust.Gateway)
	}
	return &Verifier{keys: keys}, nil
}

// VerifyRequest is Verify for a request as a server gets it.
func (v *Verifier) VerifyRequest(r *http.Request, now time.Time) (Signed, error) {
	call, header, err := incoming(r)
	if err != nil {
		return Signed{}, err
	}
	return v.Verify(call, header, now)
}

// Verify returns what header was signed for. It is one of ErrMissing, ErrMalformed, ErrSignature, ErrExpired and ErrFuture when
// the header must not be trusted for this call now. That the body is the signed one is the caller's to check, where it is read.
func (v *Verifier) Verify(call Call, header string, now time.Time) (Signed, error) {
	if header == "" {
		return Signed{}, ErrMissing
	}
	if len(header) > maxHeaderBytes {
		return Signed{}, ErrMalformed
	}
	raw, err := encoding.DecodeString(header)
	if err != nil || len(raw) < ed25519.SignatureSize || len(header) != encoding.EncodedLen(len(raw)) {
		return Signed{}, ErrMalformed
	}
	payload, signature := raw[:len(raw)-ed25519.SignatureSize], raw[len(raw)-ed25519.SignatureSize:]
	if !v.verifies(call.message(payload), signature) {
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

// verifies reports whether the signature was made with one of the gateway's keys.
func (v *Verifier) verifies(message, signature []byte) bool {
	for _, key := range v.keys {
		if ed25519.Verify(key, message, signature) {
			return true
		}
	}
	return false
}

// message is what is signed. Each part has its length before it, so that no two calls share a message.
func (c Call) message(payload []byte) []byte {
	const lengths = 5 * 8
	out := make([]byte, 0, lengths+len(label)+len(c.Method)+len(c.Target)+len(c.Inbox)+len(payload))
	for _, part := range []string{label, c.Method, c.Target, c.Inbox} {
		out = append(binary.BigEndian.AppendUint64(out, uint64(len(part))), part...)
	}
	return append(binary.BigEndian.AppendUint64(out, uint64(len(payload))), payload...)
}
