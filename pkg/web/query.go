package web

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/timestamp"
)

const (
	limitParam  = "limit"
	cursorParam = "cursor"
)

// Query reads the query parameters of one request and collects their problems. An
// absent or invalid parameter reads as the zero value; [Query.Err] returns the
// problems once all have been read.
type Query struct {
	names     []string
	values    map[string]string
	unusable  map[string]bool // already reported, not to be read
	canonical map[string]string
	problems  invalid.Problems
	badCursor bool
	resumed   bool
}

// ParseQuery reads the query against the names that the operation knows. An
// operation without parameters calls it without names, so that a misplaced
// filter is reported there too.
func ParseQuery(c *gin.Context, names ...string) *Query {
	q := &Query{
		names:     names,
		values:    make(map[string]string, len(names)),
		unusable:  map[string]bool{},
		canonical: make(map[string]string, len(names)),
	}
	q.split(c.Request.URL.RawQuery)
	return q
}

// Err returns VALIDATION_ERROR with all problems, else INVALID_CURSOR when the
// cursor is malformed, else nil.
func (q *Query) Err() error {
	if q.resumed && len(q.problems.List()) > 0 {
		return invalidCursor()
	}
	if err := q.problems.Err(); err != nil {
		return err
	}
	if q.badCursor {
		return invalidCursor()
	}
	return nil
}

// Time reads a point in time; nil when absent.
func (q *Query) Time(name string) *time.Time {
	value, ok := q.lookup(name)
	if !ok {
		return nil
	}
	t, err := timestamp.Parse(value)
	if err != nil {
		q.problems.Note(queryField(name), apierr.FieldMalformed, timestamp.Phrase(err))
		return nil
	}
	q.canonical[name] = timestamp.Format(t)
	return &t
}

// Range reads an inclusive interval and refuses one that is reversed.
func (q *Query) Range(gteName, lteName string) (gte, lte *time.Time) {
	gte, lte = q.Time(gteName), q.Time(lteName)
	if gte != nil && lte != nil && gte.After(*lte) {
		q.problems.Note(queryField(gteName), apierr.FieldRange, apierr.LaterThan.With(lteName))
	}
	return gte, lte
}

// Enum reads one of the allowed values; "" when absent.
func (q *Query) Enum(name string, allowed []string) string {
	value, ok := q.lookup(name)
	if !ok {
		return ""
	}
	if !slices.Contains(allowed, value) {
		q.problems.Note(queryField(name), apierr.FieldNotAllowed, notAllowed(value, allowed), allowed...)
		return ""
	}
	q.canonical[name] = value
	return value
}

// String reads a text of 1 to max characters without control characters; ""
// when absent.
func (q *Query) String(name string, maxChars int) string {
	value, ok := q.lookup(name)
	if !ok {
		return ""
	}
	if !q.problems.Text(queryField(name), value, invalid.Text{Max: maxChars, NotBlank: true, NoControls: true}) {
		return ""
	}
	q.canonical[name] = value
	return value
}

// Limit reads the page size; the default when absent.
func (q *Query) Limit() int {
	value, ok := q.lookup(limitParam)
	if !ok {
		return paging.DefaultLimit
	}
	if !isInteger(value) {
		q.problems.Note(queryField(limitParam), apierr.FieldType, apierr.NotInteger)
		return paging.DefaultLimit
	}
	limit, err := strconv.Atoi(value)
	if err != nil || limit < 1 || limit > paging.MaxLimit { // an integer that Atoi cannot hold is far outside
		q.problems.Number(queryField(limitParam), int64(limit), 1, paging.MaxLimit)
		return paging.DefaultLimit
	}
	return limit
}

// isInteger reports whether a text is a decimal integer, of any size.
func isInteger(text string) bool {
	digits := strings.TrimPrefix(text, "-")
	return digits != "" && strings.Trim(digits, "0123456789") == ""
}

// Cursor reads the cursor; "" when absent. An empty one was not issued by the
// server and makes Err an INVALID_CURSOR. The caller verifies the cursor, after
// Err has returned nil for the filters.
func (q *Query) Cursor() string {
	value, ok := q.lookup(cursorParam)
	if ok && value == "" {
		q.badCursor = true
	}
	return value
}

// Sent returns the filters that were sent and read so far, without limit and
// cursor, in canonical form: two spellings of the same time are equal. A cursor
// is bound to them.
func (q *Query) Sent() map[string]string { return maps.Clone(q.canonical) }

// Resume replaces the filters by those that a cursor carries, so that the same
// reading code then sees a client that left them out as if it had repeated them.
// Filters that can no longer be read make the cursor invalid, not the request.
func (q *Query) Resume(filters map[string]string) {
	q.resumed = true
	q.values = maps.Clone(filters)
	clear(q.unusable)
	clear(q.canonical)
}

func (q *Query) lookup(name string) (string, bool) {
	if q.unusable[name] {
		return "", false
	}
	value, ok := q.values[name]
	return value, ok
}

func (q *Query) isKnown(name string) bool { return slices.Contains(q.names, name) }

func invalidCursor() error {
	return apierr.InvalidCursor.With(map[string]any{"reason": "malformed"})
}
