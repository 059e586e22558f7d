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

// maxAcceptLanguage bounds, in bytes, the header that is worth parsing. Browsers
// send a tenth of it.
const maxAcceptLanguage = 500

// matcher is indexed like the Lang constants.
var matcher = language.NewMatcher([]language.Tag{language.English, language.Korean})

// String is the language tag.
func (l Lang) String() string {
	if l == Korean {
		return "ko"
	}
	return "en"
}

// ParseAcceptLanguage chooses the language for an Accept-Language header,
// quality values respected. Anything absent, broken or unknown is English: a
// text in the wrong language is no reason to refuse a request.
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
