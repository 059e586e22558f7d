package web

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
)

// Object is one JSON object of a body: the body itself or an element of a list
// of objects in it. Problems are reported with the path from the body's root.
type Object struct {
	path    string
	members []member
	known   []string
	sink    *sink
	// unreadable objects have been reported; reading them adds nothing.
	unreadable bool
}

type member struct {
	name  string
	value jsontext.Value
}

// List defines a valid list of texts.
type List struct {
	// Min and Max bound the number of elements.
	Min, Max int
	// Unique refuses duplicate elements; the comparison ignores letter case, as
	// for ids.
	Unique bool
	// Element defines a valid element.
	Element invalid.Text
}

// String reads a required text.
func (o *Object) String(name string, rule invalid.Text) string {
	value, ok := o.required(name)
	if !ok {
		return ""
	}
	return o.text(o.at(name), value, rule)
}

// OptionalString reads a text that may be absent or null; both are nil.
func (o *Object) OptionalString(name string, rule invalid.Text) *string {
	value, ok := o.find(name)
	if !ok || value.Kind() == 'n' {
		return nil
	}
	text := o.text(o.at(name), value, rule)
	return &text
}

// Enum reads a required text that is one of the allowed ones; "" otherwise.
func (o *Object) Enum(name string, allowed []string) string {
	value, ok := o.required(name)
	if !ok {
		return ""
	}
	text, ok := o.unquote(o.at(name), value)
	if !ok {
		return ""
	}
	if !slices.Contains(allowed, text) {
		o.sink.Note(o.at(name), apierr.FieldNotAllowed, notAllowed(text, allowed), allowed...)
		return ""
	}
	return text
}

// Strings reads a required list of texts, in the order sent.
func (o *Object) Strings(name string, rule List) []string {
	elements, ok := o.elements(name, rule.Min, rule.Max)
	if !ok {
		return nil
	}
	texts := make([]string, 0, len(elements))
	seen := make(map[string]bool, len(elements))
	for i, element := range elements {
		field := index(o.at(name), i)
		text := o.text(field, element, rule.Element)
		folded := strings.ToLower(text)
		if rule.Unique && text != "" && seen[folded] {
			o.sink.Note(field, apierr.FieldRepeated, apierr.RepeatedIn.With(name))
		}
		seen[folded] = true
		texts = append(texts, text)
	}
	return texts
}

// Objects reads a required list of objects, in the order sent. The elements
// report their problems to the same body. They are pointers because reading an
// object notes which names it knows.
func (o *Object) Objects(name string, minCount, maxCount int) []*Object {
	elements, ok := o.elements(name, minCount, maxCount)
	if !ok {
		return nil
	}
	objects := make([]*Object, 0, len(elements))
	for i, element := range elements {
		objects = append(objects, newObject(index(o.at(name), i), element, o.sink))
	}
	return objects
}

func (o *Object) elements(name string, minCount, maxCount int) ([]jsontext.Value, bool) {
	value, ok := o.required(name)
	if !ok {
		return nil, false
	}
	if value.Kind() != '[' {
		o.sink.Note(o.at(name), apierr.FieldType, apierr.NotList)
		return nil, false
	}
	elements := splitList(value, maxCount)
	return elements, o.sink.Count(o.at(name), len(elements), minCount, maxCount)
}

// text reads a value that must be a text of the given kind; "" when it is not.
func (o *Object) text(field string, value jsontext.Value, rule invalid.Text) string {
	text, ok := o.unquote(field, value)
	if !ok || !o.sink.Text(field, text, rule) {
		return ""
	}
	return text
}

func (o *Object) unquote(field string, value jsontext.Value) (string, bool) {
	switch value.Kind() {
	case '"':
		text, err := jsontext.AppendUnquote(nil, value)
		return string(text), err == nil
	case 'n':
		o.sink.Note(field, apierr.FieldNull, apierr.IsNull)
	default:
		o.sink.Note(field, apierr.FieldType, apierr.NotString)
	}
	return "", false
}

// required returns a member that must be present and not null.
func (o *Object) required(name string) (jsontext.Value, bool) {
	value, ok := o.find(name)
	switch {
	case o.unreadable:
		return nil, false
	case !ok:
		o.sink.Note(o.at(name), apierr.FieldRequired, o.missing(name))
		return nil, false
	case value.Kind() == 'n':
		o.sink.Note(o.at(name), apierr.FieldNull, apierr.IsNull)
		return nil, false
	}
	return value, true
}

// find returns a member and records its name as known.
func (o *Object) find(name string) (jsontext.Value, bool) {
	if !slices.Contains(o.known, name) {
		o.known = append(o.known, name)
	}
	for i := range o.members {
		if o.members[i].name == name {
			return o.members[i].value, true
		}
	}
	return nil, false
}

func (o *Object) at(name string) string {
	if o.path == "" {
		return name
	}
	return o.path + "." + name
}

func index(list string, i int) string { return list + "[" + strconv.Itoa(i) + "]" }
