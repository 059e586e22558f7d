package apierr

import (
	"strings"

	"golang.org/x/text/language"
)

// Lang is a language in which every row of the table has a text.
type Lang int

// The languages of the table. English is the default.
const (
	English Lang = iota
	Korean
)

// maxAcceptLanguage is the largest header that is parsed, in bytes. Browsers
// send a tenth of it.
const maxAcceptLanguage = 500

// matcher is indexed like the Lang constants.
var matcher = language.NewMatcher([]language.Tag{language.English, language.Korean})

// String returns the language tag.
func (l Lang) String() string {
	if l == Korean {
		return "ko"
	}
	return "en"
}

// ParseAcceptLanguage returns the language for an Accept-Language header and
// respects quality values. An absent, malformed or unknown value means English:
// a request is not refused because of the language of a text.
func ParseAcceptLanguage(header string) Lang {
	if len(header) > maxAcceptLanguage || !strings.Contains(strings.ToLower(header), "ko") {
		return English
	}
	wanted, _, err := language.ParseAcceptLanguage(header)
	if err != nil {
		return English
	}
	_, index, confidence := matcher.Match(wanted...)
	if confidence == language.No {
		return English
	}
	return Lang(index)
}
