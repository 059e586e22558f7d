package idempotency

import (
	"bytes"
	"crypto/sha256"

	"github.com/go-json-experiment/json/jsontext"

	"sellerapi.dev/pkg/inbox"
)

// NewFingerprint computes the fingerprint of method, routed path and body. A body that is no JSON counts as its bytes:
// no service accepts it, so no answer to it is ever stored.
func NewFingerprint(method, path string, body []byte) inbox.Fingerprint {
	hash := sha256.New()
	for _, part := range [][]byte{[]byte(method), []byte(path), canonical(body)} {
		hash.Write(part)
		hash.Write([]byte{0})
	}
	return inbox.Fingerprint(hash.Sum(nil)[:len(inbox.Fingerprint{})])
}

func canonical(body []byte) []byte {
	value := jsontext.Value(bytes.Clone(body))
	if err := value.Format(jsontext.ReorderRawObjects(true), jsontext.SpaceAfterComma(false)); err != nil {
		return body
	}
	return value
}
