package idempotency

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"sellerapi.dev/pkg/operation"
)

// contentOf returns a digest of the value of a JSON text: white space, escapes and the order of members do not matter, the
// notation of a number does. ok is false for a text that is not JSON in UTF-8, is nested deeper than services accept or has
// more tokens.
func contentOf(text []byte) (digest [sha256.Size]byte, ok bool) {
	if !acceptable(text) {
		return digest, false
	}
	canonical := jsontext.Value(text).Clone()
	err := canonical.Format(jsontext.ReorderRawObjects(true), jsontext.AllowDuplicateNames(true))
	return sha256.Sum256(canonical), err == nil
}

// acceptable reports whether a text is JSON with as many tokens as services accept: sorting the members of one with more would
// take a second.
func acceptable(text []byte) bool {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(text), jsontext.AllowDuplicateNames(true))
	for range operation.BodyTokens + 1 {
		if _, err := decoder.ReadToken(); err != nil {
			return errors.Is(err, io.EOF)
		}
	}
	return false
}
