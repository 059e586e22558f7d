package inquiry

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// MaxContent is the maximum length of an answer, in code points after NFC.
const MaxContent = 4000

// SameContent reports whether two texts are the same answer. Systems alter a text in transit without changing its meaning: they
// compose Hangul, end lines with CR LF, append a line feed. Such differences are ignored; all visible differences count.
func SameContent(a, b string) bool { return normal(a) == normal(b) }

// normal returns the normal form for comparison: composed (NFC), lines ended by LF, no leading or trailing white space.
func normal(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(norm.NFC.String(text), "\r\n", "\n"))
}
