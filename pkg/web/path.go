package web

import (
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/gin-gonic/gin"
	"github.com/google/uuid"
)

// maxIdentifier bounds, in characters, what can be the name of a record.
const maxIdentifier = 64

// PathValue is a path parameter, decoded. It is false for a value that cannot
// name any record: empty, longer than 64 characters, broken UTF-8, or with a NUL,
// which the database would refuse. The caller answers with its own not-found.
func PathValue(c *gin.Context, name string) (string, bool) {
	value, err := url.PathUnescape(c.Param(name))
	if err != nil || !IsIdentifier(value) {
		return "", false
	}
	return value, true
}

// IsIdentifier reports whether the text can name a record, by the rule of
// [PathValue]. Handlers use it for order numbers in a body.
func IsIdentifier(text string) bool {
	return text != "" && utf8.ValidString(text) &&
		utf8.RuneCountInString(text) <= maxIdentifier && strings.IndexByte(text, 0) < 0
}

// ParseUUID parses the form in which this API writes UUIDs, 36 characters with
// hyphens, in any letter case. Other forms of a UUID are not ids that the API has
// issued.
func ParseUUID(text string) (uuid.UUID, bool) {
	if len(text) != 36 {
		return uuid.UUID{}, false
	}
	id, err := uuid.Parse(text)
	return id, err == nil
}
