package inquiry

import (
	"strings"

	"golang.org/x/text/unicode/norm"
)

// MaxContent is the most characters of an answer, counted as code points after NFC.
const MaxContent = 4000

// SameContent reports whether two texts are the same answer. Systems rewrite a text on its way without meaning another
// one: they compose Hangul, end lines with CR LF, add a line feed at the end. None of this makes a difference; everything
// that a reader could see does.
func SameContent(a, b string) bool { return normal(a) == normal(b) }

// normal is the form in which contents are compared: composed (NFC), lines ended by LF, no white space around it.
func normal(text string) string {
	return strings.TrimSpace(strings.ReplaceAll(norm.NFC.String(text), "\r\n", "\n"))
}
