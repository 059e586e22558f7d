// Package jsonwriter writes JSON objects member by member, for pages: they have thousands of members, and encoding them by
// reflection takes longer than everything else that a request needs. A page of 50 orders with two items each is written 4.8
// times as fast as it is encoded from structs, in CPU time: BenchmarkRender of the orders service.
package jsonwriter

import (
	"encoding/hex"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/google/uuid"

	"sellerapi.dev/pkg/timestamp"
)

// Writer appends to JSON what web.Marshal would encode, in the order of the calls.
type Writer struct{ JSON []byte }

// Open begins an object.
func (w *Writer) Open() { w.JSON = append(w.JSON, '{') }

// Close ends an object.
func (w *Writer) Close() { w.JSON = append(w.JSON, '}') }

func (w *Writer) name(name string) {
	b := w.JSON
	if b[len(b)-1] != '{' {
		b = append(b, ',')
	}
	b = append(b, '"')
	b = append(b, name...)
	b = append(b, '"', ':')
	w.JSON = b
}

// Object writes a member that is an object; write writes its members.
func (w *Writer) Object(name string, write func()) {
	w.name(name)
	w.Open()
	write()
	w.Close()
}

// List writes a member that is an array of count elements.
func (w *Writer) List(name string, count int, write func(i int)) {
	w.name(name)
	w.Elements(count, write)
}

// Elements writes an array of count elements.
func (w *Writer) Elements(count int, write func(i int)) {
	w.JSON = append(w.JSON, '[')
	for i := range count {
		if i > 0 {
			w.JSON = append(w.JSON, ',')
		}
		write(i)
	}
	w.JSON = append(w.JSON, ']')
}

// Element writes a text that is an element of an array.
func (w *Writer) Element(value string) { w.JSON = appendText(w.JSON, value) }

func (w *Writer) null() { w.JSON = append(w.JSON, "null"...) }

// Text writes a text.
func (w *Writer) Text(name, value string) {
	w.name(name)
	w.JSON = appendText(w.JSON, value)
}

// TextOrNull writes a text, null if it is empty.
func (w *Writer) TextOrNull(name, value string) {
	if w.name(name); value == "" {
		w.null()
		return
	}
	w.JSON = appendText(w.JSON, value)
}

// TextIfAny writes a text and omits an empty one.
func (w *Writer) TextIfAny(name, value string) {
	if value != "" {
		w.Text(name, value)
	}
}

// OptionalText writes a text, null for nil.
func (w *Writer) OptionalText(name string, value *string) {
	if w.name(name); value == nil {
		w.null()
		return
	}
	w.JSON = appendText(w.JSON, *value)
}

// Number writes a number.
func (w *Writer) Number(name string, value int64) {
	w.name(name)
	w.JSON = strconv.AppendInt(w.JSON, value, 10)
}

// OptionalNumber writes a number, null for nil.
func (w *Writer) OptionalNumber(name string, value *int64) {
	if value == nil {
		w.name(name)
		w.null()
		return
	}
	w.Number(name, *value)
}

// Flag writes a boolean.
func (w *Writer) Flag(name string, value bool) {
	w.name(name)
	w.JSON = strconv.AppendBool(w.JSON, value)
}

// Moment writes a time.
func (w *Writer) Moment(name string, at time.Time) {
	w.name(name)
	w.JSON = append(timestamp.AppendFormat(append(w.JSON, '"'), at), '"')
}

// MomentOrNull writes a time, null if it is zero.
func (w *Writer) MomentOrNull(name string, at time.Time) {
	if at.IsZero() {
		w.OptionalMoment(name, nil)
		return
	}
	w.Moment(name, at)
}

// OptionalMoment writes a time, null for nil.
func (w *Writer) OptionalMoment(name string, at *time.Time) {
	if at == nil {
		w.name(name)
		w.null()
		return
	}
	w.Moment(name, *at)
}

// ID writes an id.
func (w *Writer) ID(name string, id uuid.UUID) {
	w.name(name)
	b := hex.AppendEncode(append(w.JSON, '"'), id[:4])
	for _, at := range [...]int{4, 6, 8} {
		b = hex.AppendEncode(append(b, '-'), id[at:at+2])
	}
	w.JSON = append(hex.AppendEncode(append(b, '-'), id[10:]), '"')
}

// IDOrNull writes an id, null if it is zero.
func (w *Writer) IDOrNull(name string, id uuid.UUID) {
	if id == uuid.Nil {
		w.name(name)
		w.null()
		return
	}
	w.ID(name, id)
}

// appendText appends a quoted text. Characters that need escaping are rare, and all texts are valid UTF-8, because the database
// stores nothing else.
func appendText(b []byte, text string) []byte {
	for i := range len(text) {
		if c := text[i]; c < ' ' || c == '"' || c == '\\' {
			b, _ = jsontext.AppendQuote(b, text) // the only error is invalid UTF-8, which is replaced
			return b
		}
	}
	b = append(b, '"')
	b = append(b, text...)
	return append(b, '"')
}
