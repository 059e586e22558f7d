package invalid

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"sellerapi.dev/pkg/apierr"
)

// Text defines the valid values of a text in a request. The zero value accepts
// every text, also the empty one.
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
	// Form, if set, is the form that the text must have; FormRule says it in words.
	Form     *regexp.Regexp
	FormRule string
}

// Text checks a text and reports whether it is valid.
func (p *Problems) Text(field, text string, rule Text) bool {
	before := len(p.list)
	switch {
	case !utf8.ValidString(text):
		p.Note(field, apierr.FieldEncoding, apierr.BrokenUTF8)
	case rule.Form != nil && !rule.Form.MatchString(text):
		p.Add(field, apierr.FieldMalformed, rule.FormRule)
	default:
		p.length(field, text, rule)
		p.controls(field, text, rule)
	}
	return len(p.list) == before
}

// Read is Text for messages: it returns the text, "" if it is invalid.
func (p *Problems) Read(field, text string, rule Text) string {
	if !p.Text(field, text, rule) {
		return ""
	}
	return text
}

func (p *Problems) length(field, text string, rule Text) {
	switch {
	case rule.NotEmpty && text == "":
		p.Note(field, apierr.FieldEmpty, apierr.IsEmpty)
	case rule.NotBlank && IsBlank(text):
		p.Note(field, apierr.FieldEmpty, apierr.IsBlank)
	}
	if rule.Max > 0 && longer(text, rule.Max) {
		p.Note(field, apierr.FieldTooLong, apierr.TooManyChars.With(rule.Max))
	}
}

func (p *Problems) controls(field, text string, rule Text) {
	if rule.NoControls && strings.ContainsFunc(text, unicode.IsControl) {
		p.Note(field, apierr.FieldControl, apierr.HasControls)
	}
	if rule.Prose && !isProse(text) {
		p.Note(field, apierr.FieldControl, apierr.HasControlsBut)
	}
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
