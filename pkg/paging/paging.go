package paging

import (
	"bytes"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"time"

	"github.com/google/uuid"

	"sellerapi.dev/pkg/apierr"
)

// The default and the maximum page size.
const (
	DefaultLimit = 50
	MaxLimit     = 100
)

// Position is the last row of a page; the next page starts after it.
type Position struct {
	// UpdatedAt is truncated to microseconds.
	UpdatedAt time.Time
	// ID breaks ties among rows with the same UpdatedAt.
	ID uuid.UUID
}

// Scope is the scope to which a cursor is bound.
type Scope struct {
	// SellerID is the seller that walks the list.
	SellerID string
	// List names the list, for example "orders".
	List string
	// Filters holds the filters of the walk by parameter name, each value in one canonical spelling, so that a client
	// may write the same time differently on the next page.
	Filters map[string]string
}

// The values of error_data.reason of INVALID_CURSOR.
const (
	ReasonMalformed      = "malformed"
	ReasonFiltersChanged = "filters_changed"
)

const (
	minKeyBytes = 32
	// macBytes is the length of the MAC in a cursor. 128 bits cannot be guessed over a network.
	macBytes = 16
	// maxCursorChars bounds the work that a cursor can cause; the longest that Sign makes from real filters is far shorter.
	maxCursorChars = 4096
	// label separates these signatures from any other use of the same key.
	label = "list-cursor/1\x00"
)

// encoding is strict: every cursor has exactly one encoding.
var encoding = base64.RawURLEncoding.Strict()

// Signer issues and reads cursors. It is safe for concurrent use.
type Signer struct {
	keys [][]byte
}

// NewSigner returns a signer that signs with current and accepts current and previous. Each key has at least 32 bytes; an
// error names the position of a short one and never its value.
func NewSigner(current []byte, previous ...[]byte) (*Signer, error) {
	s := &Signer{}
	for i, key := range append([][]byte{current}, previous...) {
		if len(key) < minKeyBytes {
			return nil, fmt.Errorf("cursor signing key %d: %d bytes long; at least %d are needed", i+1, len(key), minKeyBytes)
		}
		s.keys = append(s.keys, bytes.Clone(key))
	}
	return s, nil
}

// Sign returns the cursor of the page that ends at position.
func (s *Signer) Sign(scope Scope, position Position) string {
	payload := encodePayload(scope, position)
	return encoding.EncodeToString(append(payload, mac(s.keys[0], payload)...))
}

// Open verifies a cursor that sellerID sent for list together with the filters in sent. It returns all filters of the walk,
// including omitted ones, and the position after which the page starts. The error is INVALID_CURSOR with the reason in its
// data.
func (s *Signer) Open(sellerID, list string, sent map[string]string, cursor string) (map[string]string, Position, error) {
	scope, position, ok := s.read(cursor)
	if !ok || scope.SellerID != sellerID || scope.List != list {
		return nil, Position{}, invalid(ReasonMalformed)
	}
	for name, value := range sent {
		if signed, known := scope.Filters[name]; !known || signed != value {
			return nil, Position{}, invalid(ReasonFiltersChanged)
		}
	}
	return maps.Clone(scope.Filters), position, nil
}

// read decodes and verifies a cursor. The payload is not parsed before the MAC is verified.
func (s *Signer) read(cursor string) (Scope, Position, bool) {
	if len(cursor) > maxCursorChars {
		return Scope{}, Position{}, false
	}
	raw, err := encoding.DecodeString(cursor)
	// The decoder skips line breaks; the length check detects them.
	if err != nil || len(raw) < macBytes || len(cursor) != encoding.EncodedLen(len(raw)) {
		return Scope{}, Position{}, false
	}
	payload, sent := raw[:len(raw)-macBytes], raw[len(raw)-macBytes:]
	for _, key := range s.keys {
		if hmac.Equal(mac(key, payload), sent) {
			return readPayload(payload)
		}
	}
	return Scope{}, Position{}, false
}

func mac(key, payload []byte) []byte {
	h := hmac.New(sha256.New, key)
	_, _ = h.Write([]byte(label))
	_, _ = h.Write(payload)
	return h.Sum(nil)[:macBytes]
}

func invalid(reason string) error {
	return apierr.InvalidCursor.With(map[string]any{"reason": reason})
}
