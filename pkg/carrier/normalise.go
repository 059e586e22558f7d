package carrier

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// rounds bounds the normalisation of a text. Two are enough for every text that
// the fuzz test has found: the first changes it, the second finds it stable.
const rounds = 8

// The steps are repeated until nothing changes, because one can enable another: removing a zero-width mark joins two
// characters that then compose.
func normalise(text string) string {
	for range rounds {
		next := strings.Map(keepUpper, norm.NFKC.String(text))
		if next == text {
			break
		}
		text = next
	}
	return text
}

// keepUpper returns the upper-case form of a character of a tracking number, or
// -1, which strings.Map drops, for separators and invisible characters.
func keepUpper(r rune) rune {
	if r < unicode.MaxASCII && (r >= '0' && r <= '9' || r >= 'A' && r <= 'Z') {
		return r
	}
	if isSeparator(r) || isInvisible(r) {
		return -1
	}
	return unicode.ToUpper(r)
}

// isSeparator reports whether r is a hyphen, dash or dot, which only group digits.
func isSeparator(r rune) bool {
	switch r {
	// dots: full stop, middle, bullet, hyphenation point, ideographic, katakana
	case '.', '\u00b7', '\u2022', '\u2027', '\u3002', '\u30fb',
		'\u02d7', '\u2043', '\u2212': // look like hyphens: modifier minus, hyphen bullet, minus
		return true
	}
	return unicode.Is(unicode.Pd, r)
}

// brailleBlank is a symbol to Unicode but looks like a space.
const brailleBlank = '\u2800'

// isInvisible reports whether r is white space, a format character (zero-width,
// direction mark) or a Hangul filler, which Unicode classifies as a letter.
func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || r == brailleBlank ||
		unicode.In(r, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
