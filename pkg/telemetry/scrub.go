package telemetry

import (
	"bytes"
	"io"
	"log/slog"
	"regexp"
	"strings"
)

// redacted replaces the value of an attribute whose name says that it is a secret.
const redacted = "[redacted]"

// sensitiveNames are parts of attribute names, without separators and in lower case, that mark a secret.
var sensitiveNames = []string{
	"password", "passwd", "secret", "token", "apikey", "authorization", "cookie", "pepper", "privatekey", "credential",
}

var (
	sellerKeyMark    = []byte("vpk_")
	sellerKeyPattern = regexp.MustCompile(`(vpk_(?:live|test)_[0-9A-Za-z]{3})[0-9A-Za-z_-]+`)
	addressMark      = []byte("://")
	addressPattern   = regexp.MustCompile(`(://[^\s:/?#@"\\]*):[^\s/?#"\\]*@`)
)

// redact hides attributes by their name. A group with such a name hides all its members.
func redact(groups []string, attr slog.Attr) slog.Attr {
	if isSensitive(attr.Key) {
		return slog.String(attr.Key, redacted)
	}
	for _, group := range groups {
		if isSensitive(group) {
			return slog.String(attr.Key, redacted)
		}
	}
	return attr
}

// isSensitive tells whether a name such as X-Api-Key, clientSecret or DB_PASSWORD marks a secret.
func isSensitive(name string) bool {
	plain := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
	for _, part := range sensitiveNames {
		if strings.Contains(plain, part) {
			return true
		}
	}
	return false
}

// scrubbingWriter cuts seller keys and passwords of addresses out of every finished line. slog writes one line in one
// call, so a secret is never split over two.
type scrubbingWriter struct {
	next io.Writer
}

// Write implements io.Writer. It reports the length of its input, because the shortened line is nobody's concern.
func (w scrubbingWriter) Write(line []byte) (int, error) {
	if _, err := w.next.Write(scrub(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}

// scrub returns line without seller keys beyond their first 12 characters and without passwords of addresses.
// The cheap searches come first: almost no line needs a pattern.
func scrub(line []byte) []byte {
	if bytes.Contains(line, sellerKeyMark) {
		line = sellerKeyPattern.ReplaceAll(line, []byte("$1"))
	}
	if bytes.Contains(line, addressMark) && bytes.IndexByte(line, '@') >= 0 {
		line = addressPattern.ReplaceAll(line, []byte("$1:"+redacted+"@"))
	}
	return line
}
