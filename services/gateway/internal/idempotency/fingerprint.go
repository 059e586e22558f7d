package idempotency

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"

	"sellerapi.dev/pkg/inbox"
)

// Routed is the matched route of a request, which can differ from what the path looks like.
type Routed struct {
	Method string
	// Template is the path of the route, Values are its parameters as they occur in url.URL.EscapedPath.
	Template string
	Values   []string
}

// NewFingerprint computes the fingerprint of a request. A body that is not JSON is hashed as bytes: no service accepts it, so
// no answer to it is ever stored. So is one that is nested deeper, or has more tokens, than any service accepts.
func NewFingerprint(routed Routed, body []byte) inbox.Fingerprint {
	hash := sha256.New()
	for _, part := range append([]string{routed.Method, routed.Template}, routed.Values...) {
		hash.Write([]byte(plain(part)))
		hash.Write([]byte{0})
	}
	kind := "\x00json"
	digest, ok := contentOf(body)
	if !ok {
		kind, digest = "\x00text", sha256.Sum256(body)
	}
	hash.Write(append([]byte(kind), digest[:]...))
	return inbox.Fingerprint(hash.Sum(nil)[:len(inbox.Fingerprint{})])
}

// plain returns the canonical form of a part of a path: characters are unescaped where possible, and every other byte is an
// escape in capitals. So equivalent paths become equal, while an escaped slash or per cent sign stays escaped.
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

// cutChar returns the first byte that a path encodes, and the rest.
func cutChar(path string) (char byte, rest string, escaped bool) {
	if path[0] == '%' && len(path) >= len("%00") {
		if code, err := strconv.ParseUint(path[1:3], 16, 8); err == nil {
			return byte(code), path[3:], true
		}
	}
	return path[0], path[1:], false
}

// standsForItself reports whether url.URL.EscapedPath leaves a byte unescaped. It excludes the slash, which ends a segment.
func standsForItself(char byte) bool {
	switch {
	case 'a' <= char && char <= 'z', 'A' <= char && char <= 'Z', '0' <= char && char <= '9':
		return true
	default:
		return strings.IndexByte("-_.~!$&'()*+,;=:@[]", char) >= 0
	}
}
