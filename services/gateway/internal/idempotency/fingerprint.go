package idempotency

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sellerapi.dev/pkg/inbox"
)

// NewFingerprint computes the fingerprint of method, routed path as url.URL.EscapedPath gives it, and body. A body that is no
// JSON counts as its bytes: no service accepts it, so no answer to it is ever stored. So does one that is nested deeper than
// any that a service reads something from: members of objects are put in order in place, which moves every byte once for each
// object around it, and a client shall not decide how often.
func NewFingerprint(method, path string, body []byte) inbox.Fingerprint {
	hash := sha256.New()
	for _, part := range [][]byte{[]byte(method), []byte(plain(path)), canonical(body)} {
		hash.Write(part)
		hash.Write([]byte{0})
	}
	return inbox.Fingerprint(hash.Sum(nil)[:len(inbox.Fingerprint{})])
}

// plain is the one spelling of a path: every character that may stand for itself does, and every other byte is an escape in
// capitals. Two spellings of the same segments become one, while an escaped slash or per cent sign stays what it is. A path
// without escapes is its own plain spelling, so that records keep the fingerprints that they were made with.
func plain(path string) string {
	if !strings.Contains(path, "%") {
		return path
	}
	var spelt strings.Builder
	for len(path) > 0 {
		char, rest, escaped := cutChar(path)
		if escaped && !standsForItself(char) {
			fmt.Fprintf(&spelt, "%%%02X", char)
		} else {
			spelt.WriteByte(char)
		}
		path = rest
	}
	return spelt.String()
}

// cutChar is the first byte that a path spells, and what follows it.
func cutChar(path string) (char byte, rest string, escaped bool) {
	if path[0] == '%' && len(path) >= len("%00") {
		if code, err := strconv.ParseUint(path[1:3], 16, 8); err == nil {
			return byte(code), path[3:], true
		}
	}
	return path[0], path[1:], false
}

// standsForItself tells the bytes that url.URL.EscapedPath leaves as a client wrote them, but for the slash, which ends a
// segment.
func standsForItself(char byte) bool {
	switch {
	case 'a' <= char && char <= 'z', 'A' <= char && char <= 'Z', '0' <= char && char <= '9':
		return true
	default:
		return strings.IndexByte("-_.~!$&'()*+,;=:@[]", char) >= 0
	}
}

// deepest is how many objects there may be around a value in a body that is compared as JSON.
const deepest = 32

// canonical is the one spelling of a JSON value: without white space, strings with the fewest escapes, members in order.
func canonical(body []byte) []byte {
	if nesting(body) > deepest {
		return body
	}
	value := jsontext.Value(bytes.Clone(body))
	if err := value.Format(jsontext.ReorderRawObjects(true), jsontext.SpaceAfterComma(false)); err != nil {
		return body
	}
	return value
}

// nesting is how many objects are around the innermost value of a JSON text.
func nesting(text []byte) (most int) {
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch char := text[i]; {
		case char == '"':
			quoted = !quoted
		case quoted && char == '\\':
			i++
		case !quoted && char == '{':
			depth++
			most = max(most, depth)
		case !quoted && char == '}':
			depth--
		}
	}
	return most
}
