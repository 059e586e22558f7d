package idempotency

import (
	"crypto/sha256"
	"net/http"
	"strings"
	"unicode"
	"unicode/utf8"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/inbox"
)

// Header is the header in which clients identify an operation.
const Header = "Idempotency-Key"

// MaxKeyCharacters is the maximum length of a key in characters (section Limits).
const MaxKeyCharacters = 200

// ParseKey reads the single Idempotency-Key of a request; its bytes are significant.
//
// IDEMPOTENCY_KEY_REQUIRED: missing, sent twice, empty or blank. IDEMPOTENCY_KEY_TOO_LONG.
func ParseKey(header http.Header) (inbox.Digest, error) {
	values := header.Values(Header)
	if len(values) != 1 || blank(values[0]) {
		return inbox.Digest{}, apierr.IdempotencyKeyRequired
	}
	if utf8.RuneCountInString(values[0]) > MaxKeyCharacters {
		return inbox.Digest{}, apierr.IdempotencyKeyTooLong
	}
	sum := sha256.Sum256([]byte(values[0]))
	return inbox.Digest(sum[:len(inbox.Digest{})]), nil
}

// blank reports whether text is invisible: white space, invisible format characters and Hangul fillers.
func blank(text string) bool {
	return strings.TrimFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune(fillers, r)
	}) == ""
}

// fillers are letters without a glyph, which no Unicode category of blanks covers.
const fillers = "\u115F\u1160\u3164\uFFA0"
