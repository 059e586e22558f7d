package web

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"sellerapi.dev/pkg/apierr"
)

// maxEchoed bounds, in characters, a parameter name that is repeated in an answer.
const maxEchoed = 64

// split reads a raw query by hand. The standard parser drops what it does not
// understand and keeps the first of repeated parameters, which turns a mistake
// into an answer with the wrong records.
func (q *Query) split(raw string) {
	unknown := map[string]bool{}
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		name, value, ok := q.decode(pair)
		switch {
		case !ok:
		case q.isKnown(name):
			q.take(name, value)
		case !unknown[name]:
			unknown[name] = true
			q.problems.Note(queryField(name), apierr.FieldUnknown, unknownName(name, q.names), q.names...)
		}
	}
}

func (q *Query) decode(pair string) (name, value string, ok bool) {
	if strings.Contains(pair, ";") {
		q.problems.Note("query", apierr.FieldMalformed, apierr.HasSemicolon)
		return "", "", false
	}
	rawName, rawValue, _ := strings.Cut(pair, "=")
	name, err := url.QueryUnescape(rawName)
	if err != nil {
		q.problems.Note("query", apierr.FieldMalformed, apierr.BrokenName)
		return "", "", false
	}
	value, err = url.QueryUnescape(rawValue)
	if err != nil {
		q.problems.Note(queryField(name), apierr.FieldMalformed, apierr.BrokenEncoding)
		return "", "", false
	}
	return name, value, true
}

// Invalid UTF-8 is refused here for all parameters except the cursor, which has its own check.
func (q *Query) take(name, value string) {
	if _, twice := q.values[name]; twice {
		if !q.unusable[name] {
			q.unusable[name] = true
			q.problems.Note(queryField(name), apierr.FieldRepeated, apierr.GivenTwice)
		}
		return
	}
	if name != cursorParam && !utf8.ValidString(value) {
		q.problems.Note(queryField(name), apierr.FieldEncoding, apierr.BrokenUTF8)
		q.unusable[name] = true
	}
	q.values[name] = value
}

// queryField is the path of a parameter in error_data. Names come from the
// client, so they are made printable and short.
func queryField(name string) string { return "query." + printable(name) }

func printable(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r == utf8.RuneError || (r >= 0x7f && r < 0xa0) {
			return '?'
		}
		return r
	}, text)
	if utf8.RuneCountInString(text) <= maxEchoed {
		return text
	}
	return string([]rune(text)[:maxEchoed]) + "…"
}
