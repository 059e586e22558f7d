package telemetry

import (
	"bytes"
	"io"
	"log/slog"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

const redacted = "[redacted]"

// sensitiveNames are parts of attribute names, without separators and in lower case, that mark a secret.
var sensitiveNames = []string{
	"password", "passwd", "secret", "token", "apikey", "authorization", "cookie", "pepper", "privatekey", "credential",
}

// tokenID is the one name with such a part that is shown: the id of a token, by which it is revoked, gives no access.
const tokenID = "token_id"

var (
	sellerKeyMark    = []byte("vpk_")
	sellerKeyPattern = regexp.MustCompile(`(vpk_(?:live|test)_[0-9A-Za-z]{3})[0-9A-Za-z_-]+`)
	addressMark      = []byte("://")
	addressPattern   = regexp.MustCompile(`(://[^\s:/?#@"\\]*):[^\s/?#"\\]*@`)
)

// redact redacts attributes by their names. A group with such a name redacts all its members.
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

// sensitive caches the result for each name: names are in the code and therefore few, and each line has a dozen. At most
// maxNames are cached, in case names come from outside.
var (
	sensitive  sync.Map
	remembered atomic.Int32
)

const maxNames = 1000

// isSensitive reports whether a name such as X-Api-Key, clientSecret or DB_PASSWORD marks a secret.
func isSensitive(name string) bool {
	if known, ok := sensitive.Load(name); ok {
		return known.(bool)
	}
	marked := marksSecret(name)
	if remembered.Add(1) <= maxNames {
		sensitive.Store(name, marked)
	}
	return marked
}

func marksSecret(name string) bool {
	if name == tokenID {
		return false
	}
	plain := strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r == ' ' {
			return -1
		}
		return r
	}, strings.ToLower(name))
	return slices.ContainsFunc(sensitiveNames, func(part string) bool { return strings.Contains(plain, part) })
}

// scrubbingWriter cuts seller keys and passwords in addresses out of every finished line. slog writes a line in one call, so a
// secret is never split over two writes.
type scrubbingWriter struct {
	next io.Writer
}

// Write implements io.Writer. It reports the length of its input, as the io.Writer contract requires, even when the line was
// shortened.
func (w scrubbingWriter) Write(line []byte) (int, error) {
	if _, err := w.next.Write(scrub(line)); err != nil {
		return 0, err
	}
	return len(line), nil
}

// shownOfKey is the length of the part of a seller key that may be shown.
const shownOfKey = len("vpk_live_AbC")

// holdsSellerKey reports whether the line has a seller key that continues after the part that may be shown.
func holdsSellerKey(line []byte) bool {
	for {
		at := bytes.Index(line, sellerKeyMark)
		if at < 0 || len(line) <= at+shownOfKey {
			return false
		}
		if next := line[at+shownOfKey]; next == '_' || next == '-' || next >= '0' && next <= '9' ||
			next|0x20 >= 'a' && next|0x20 <= 'z' {
			return true
		}
		line = line[at+len(sellerKeyMark):]
	}
}

// scrub returns line with seller keys cut to their first 12 characters and without passwords in addresses. The cheap searches
// come first: hardly any line needs a regular expression.
func scrub(line []byte) []byte {
	if holdsSellerKey(line) {
		line = sellerKeyPattern.ReplaceAll(line, []byte("$1"))
	}
	if bytes.Contains(line, addressMark) && bytes.IndexByte(line, '@') >= 0 {
		line = addressPattern.ReplaceAll(line, []byte("$1:"+redacted+"@"))
	}
	return line
}
