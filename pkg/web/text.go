package web

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"sellerapi.dev/pkg/apierr"
)

// Text is what a text of a request must be like. The zero value accepts every
// text, also the empty one.
type Text struct {
	// Max is the largest number of characters, counted as code points after NFC;
	// 0 means no limit.
	Max int
	// NotEmpty refuses the empty text.
	NotEmpty bool
	// NotBlank refuses texts that show nothing, by the rule of [IsBlank].
	NotBlank bool
	// NoControls refuses control characters.
	NoControls bool
	// Prose refuses control characters other than tab and the ends of lines, LF
	// or CR LF.
	Prose bool
}

// checkText adds the problems of one text and reports whether there was none.
func checkText(p *problems, field, text string, rule Text) bool {
	before := len(p.list)
	switch {
	case rule.NotEmpty && text == "":
		p.add(field, apierr.FieldEmpty, "must not be empty")
	case rule.NotBlank && IsBlank(text):
		p.add(field, apierr.FieldEmpty, "must not be empty or blank")
	}
	if rule.Max > 0 && longer(text, rule.Max) {
		p.add(field, apierr.FieldTooLong, fmt.Sprintf("must have at most %d characters", rule.Max))
	}
	if rule.NoControls && strings.ContainsFunc(text, unicode.IsControl) {
		p.add(field, apierr.FieldControl, "must not contain control characters")
	}
	if rule.Prose && !isProse(text) {
		p.add(field, apierr.FieldControl, "must not contain control characters other than line feed and tab")
	}
	return len(p.list) == before
}

// longer counts code points after NFC. A text has at most as many as bytes, in
// NFC too, so that ordinary texts are not counted at all.
func longer(text string, maxChars int) bool {
	return len(text) > maxChars && utf8.RuneCountInString(norm.NFC.String(text)) > maxChars
}

func isProse(text string) bool {
	for i, r := range text {
		switch {
		case r == '\n' || r == '\t' || !unicode.IsControl(r):
		case r == '\r' && strings.HasPrefix(text[i+1:], "\n"):
		default:
			return false
		}
	}
	return true
}

// IsBlank reports whether a reader would see nothing: white space, format and
// other invisible characters, and the fillers of Hangul, which are letters to
// Unicode.
func IsBlank(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return !isInvisible(r) })
}

// brailleBlank is a symbol to Unicode and a space to the eye.
const brailleBlank = '\u2800'

func isInvisible(r rune) bool {
	return unicode.IsSpace(r) || r == brailleBlank ||
		unicode.In(r, unicode.Cc, unicode.Cf, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
}
