package web

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/operation"
)

// sink is shared by all objects of one body.
type sink struct {
	invalid.Problems
	objects []*Object
}

// reportLetterCase checks every object of the body after all were read.
func (s *sink) reportLetterCase() {
	for _, object := range s.objects {
		object.reportLetterCase()
	}
}

// reportLetterCase needs the names of all members that are read; a name is known once it was looked for.
func (o *Object) reportLetterCase() {
	for i := range o.members {
		name := o.members[i].name
		if slices.Contains(o.known, name) {
			continue
		}
		for _, known := range o.known {
			if strings.EqualFold(known, name) {
				o.sink.Note(o.at(printable(name)), apierr.FieldCase, apierr.SpeltOtherwise.With(known))
			}
		}
	}
}

// parseBody checks the whole text once, strictly, and opens its root object.
// Nothing but white space is read as an object without members, so that each
// required field is reported by name.
func parseBody(raw []byte, s *sink) *Object {
	if len(bytes.Trim(raw, " \t\r\n")) == 0 {
		return newObject("", emptyObject, s)
	}
	if !utf8.Valid(raw) {
		s.Note("body", apierr.FieldEncoding, apierr.BrokenUTF8)
		return &Object{sink: s, unreadable: true}
	}
	if err := validate(raw); err != nil {
		s.Append(describe(err))
		return &Object{sink: s, unreadable: true}
	}
	return newObject("", raw, s)
}

// maxMembers is the maximum number of members of an object in a large body, including unknown ones: far more than the API
// defines. The check for duplicates stores the names of an object, and 600,000 of them fit into a body.
const maxMembers = 1000

// validate checks that a text is one JSON value without duplicate names. A large one is read token by token, so that it is
// refused at the first token beyond operation.BodyTokens, or beyond the members that an object may have, and costs no more than
// that.
//
// Errors: errTrailing, errTokens, errMembers, and those of the decoder.
func validate(raw []byte) error {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(raw))
	read := readWhole
	if len(raw) > usualBody {
		read = readTokens
	}
	if err := read(decoder); err != nil {
		return err
	}
	if _, err := decoder.ReadToken(); !errors.Is(err, io.EOF) {
		return errTrailing
	}
	return nil
}

func readWhole(decoder *jsontext.Decoder) error {
	_, err := decoder.ReadValue()
	return err
}

func readTokens(decoder *jsontext.Decoder) error {
	for range operation.BodyTokens {
		if _, err := decoder.ReadToken(); err != nil {
			return err
		}
		switch kind, tokens := decoder.StackIndex(decoder.StackDepth()); {
		case decoder.StackDepth() == 0:
			return nil
		case kind == '{' && tokens > 2*maxMembers:
			return errMembers
		}
	}
	return errTokens
}

var emptyObject = jsontext.Value("{}")

var (
	errTrailing = errors.New("data after the end of the JSON object")
	errMembers  = errors.New("an object with too many members")
	errTokens   = errors.New("too many JSON tokens")
)

func describe(err error) apierr.FieldError {
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, errTrailing):
		return apierr.Problem("body", apierr.FieldSyntax, apierr.GoesOn)
	case errors.Is(err, errMembers):
		return apierr.Problem("body", apierr.FieldTooMany, apierr.TooManyMembers.With(maxMembers))
	case errors.Is(err, errTokens):
		return apierr.Problem("body", apierr.FieldTooMany, apierr.TooManyTokens.With(operation.BodyTokens))
	case !errors.As(err, &syntactic):
		return apierr.Problem("body", apierr.FieldSyntax, apierr.NotWholeJSON)
	case errors.Is(syntactic.Err, jsontext.ErrDuplicateName):
		return apierr.Problem(pointerPath(syntactic.JSONPointer), apierr.FieldDuplicate, apierr.OccursTwice)
	case errors.Is(syntactic.Err, io.ErrUnexpectedEOF):
		return apierr.Problem("body", apierr.FieldSyntax, apierr.EndsEarly)
	default:
		return apierr.Problem("body", apierr.FieldSyntax, apierr.NotJSONAt.With(syntactic.ByteOffset))
	}
}

// maxPointer bounds, in bytes, the place of a problem that is worth repeating.
const maxPointer = 300

// A member whose name is a number looks like an index; no field has such a name.
func pointerPath(pointer jsontext.Pointer) string {
	if len(pointer) > maxPointer {
		return "body"
	}
	var path strings.Builder
	for token := range pointer.Tokens() {
		switch {
		case token != "" && strings.Trim(token, "0123456789") == "":
			path.WriteString("[" + token + "]")
		case path.Len() > 0:
			path.WriteString("." + printable(token))
		default:
			path.WriteString(printable(token))
		}
	}
	return path.String()
}

// checked says that a text has already been checked, so that duplicate names need
// not be detected again.
var checked = jsontext.AllowDuplicateNames(true)

func newObject(path string, raw jsontext.Value, s *sink) *Object {
	o := &Object{path: path, sink: s}
	s.objects = append(s.objects, o)
	if raw.Kind() != '{' {
		o.unreadable = true
		field := path
		if field == "" {
			field = "body"
		}
		s.Note(field, apierr.FieldType, apierr.NotObject)
		return o
	}
	decoder := jsontext.NewDecoder(bytes.NewBuffer(raw), checked)
	if _, err := decoder.ReadToken(); err != nil {
		return o
	}
	for decoder.PeekKind() == '"' {
		name, err := decoder.ReadToken()
		if err != nil {
			return o
		}
		text := name.String()
		value, err := nextValue(decoder, raw)
		if err != nil {
			return o
		}
		o.members = append(o.members, member{name: text, value: value})
	}
	return o
}

// splitList returns the elements of a checked list, at most one more than max:
// the rest of a list that is too long is not worth the memory.
func splitList(raw jsontext.Value, maxCount int) []jsontext.Value {
	decoder := jsontext.NewDecoder(bytes.NewBuffer(raw), checked)
	if _, err := decoder.ReadToken(); err != nil {
		return nil
	}
	var elements []jsontext.Value
	for len(elements) <= maxCount && decoder.PeekKind() != ']' {
		element, err := nextValue(decoder, raw)
		if err != nil {
			break
		}
		elements = append(elements, element)
	}
	return elements
}

// What the decoder returns itself is valid only until its next call.
func nextValue(decoder *jsontext.Decoder, raw jsontext.Value) (jsontext.Value, error) {
	value, err := decoder.ReadValue()
	if err != nil {
		return nil, err
	}
	end := decoder.InputOffset()
	return raw[end-int64(len(value)) : end], nil
}
