package principal

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"hash"
	"time"
)

// Header carries the signed principal from the gateway to a service.
const Header = "X-Seller-Principal"

const (
	// Life is how long a signed principal is valid: far above the longest handler, far below what a thief could use.
	Life = 30 * time.Second
	// Skew is how far the clocks of signer and verifier may differ.
	Skew = 5 * time.Second
	// MinKeyBytes is the shortest signing key.
	MinKeyBytes = 32
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
	ErrSignature = errors.New("signed principal does not verify for this method and path")
	ErrExpired   = errors.New("signed principal is expired")
	ErrFuture    = errors.New("signed principal expires too far in the future")
)

// maxHeaderBytes bounds the work that an unauthenticated header can cause.
const maxHeaderBytes = 1024

// label separates these signatures from any other use of the same key.
const label = "seller-principal/1"

// encoding is strict: every header has one spelling.
var encoding = base64.RawURLEncoding.Strict()

// Signer signs and verifies principals. It is safe for concurrent use.
type Signer struct {
	keys [][]byte
}

// NewSigner returns a signer that signs with current and verifies with current and previous. Each key has at least
// MinKeyBytes; an error names the position of a short one and never its value.
func NewSigner(current []byte, previous ...[]byte) (*Signer, error) {
	s := &Signer{}
	for i, key := range append([][]byte{current}, previous...) {
		if len(key) < MinKeyBytes {
			return nil, fmt.Errorf("principal signing key %d: %d bytes long; at least %d are needed", i+1, len(key), MinKeyBytes)
		}
		s.keys = append(s.keys, bytes.Clone(key))
	}
	return s, nil
}

// Sign returns the header value for one request of p: method as sent, path as on the wire (URL.EscapedPath, without the
// query). A scope that is not of the interface is left out: what cannot be said is not granted.
func (s *Signer) Sign(method, path string, p Principal, now time.Time) string {
	payload := appendPayload(nil, p, now.Add(Life))
	return encoding.EncodeToString(append(payload, mac(s.keys[0], method, path, payload)...))
}

// Verify returns the principal that header was signed for. It is one of ErrMissing, ErrMalformed, ErrSignature,
// ErrExpired and ErrFuture when the header must not be trusted for this method and path now.
func (s *Signer) Verify(method, path, header string, now time.Time) (Principal, error) {
	if header == "" {
		return Principal{}, ErrMissing
	}
	if len(header) > maxHeaderBytes {
		return Principal{}, ErrMalformed
	}
	raw, err := encoding.DecodeString(header)
	if err != nil || len(raw) < sha256.Size || len(header) != encoding.EncodedLen(len(raw)) {
		return Principal{}, ErrMalformed
	}
	payload, sent := raw[:len(raw)-sha256.Size], raw[len(raw)-sha256.Size:]
	if !s.signed(method, path, payload, sent) {
		return Principal{}, ErrSignature
	}
	p, expiry, ok := readPayload(payload)
	switch {
	case !ok:
		return Principal{}, ErrMalformed
	case now.After(expiry.Add(Skew)):
		return Principal{}, ErrExpired
	case expiry.After(now.Add(Life + Skew)):
		return Principal{}, ErrFuture
	}
	return p, nil
}

// signed compares the MAC under every key in constant time.
func (s *Signer) signed(method, path string, payload, sent []byte) bool {
	for _, key := range s.keys {
		if hmac.Equal(mac(key, method, path, payload), sent) {
			return true
		}
	}
	return false
}

// mac signs the call. Each part has its length before it, so that no two calls share an input.
func mac(key []byte, method, path string, payload []byte) []byte {
	h := hmac.New(sha256.New, key)
	for _, part := range []string{label, method, path} {
		writePart(h, []byte(part))
	}
	writePart(h, payload)
	return h.Sum(nil)
}

// writePart feeds one part with its length; a hash never fails to take it.
func writePart(h hash.Hash, part []byte) {
	var length [8]byte
	binary.BigEndian.PutUint64(length[:], uint64(len(part)))
	_, _ = h.Write(length[:])
	_, _ = h.Write(part)
}
