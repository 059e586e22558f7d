package web

import (
	"strconv"
	"time"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/invalid"
	"sellerapi.dev/pkg/timestamp"
)

// Given reports whether a member is there and not null.
func (o *Object) Given(name string) bool {
	value, ok := o.find(name)
	return ok && value.Kind() != 'n'
}

// OptionalEnum is Enum for a text that may be absent or null; both are "".
func (o *Object) OptionalEnum(name string, allowed []string) string {
	if !o.Given(name) {
		return ""
	}
	return o.Enum(name, allowed)
}

// OptionalStrings is Strings for a list that may be absent or null; both are nil.
func (o *Object) OptionalStrings(name string, rule List) []string {
	if !o.Given(name) {
		return nil
	}
	return o.Strings(name, rule)
}

// OptionalObjects is Objects for a list that may be absent or null; both are nil.
func (o *Object) OptionalObjects(name string, minCount, maxCount int) []*Object {
	if !o.Given(name) {
		return nil
	}
	return o.Objects(name, minCount, maxCount)
}

// OptionalObject reads an object that may be absent or null; both are an object without members.
func (o *Object) OptionalObject(name string) *Object {
	value, ok := o.find(name)
	if !ok || value.Kind() == 'n' {
		value = emptyObject
	}
	return newObject(o.at(name), value, o.sink)
}

// OptionalInteger reads an integer within a range that may be absent or null; both are nil, as is an invalid one.
func (o *Object) OptionalInteger(name string, least, most int64) *int64 {
	if !o.Given(name) {
		return nil
	}
	value, _ := o.find(name)
	number, err := strconv.ParseInt(string(value), 10, 64)
	switch {
	case value.Kind() != '0' || err != nil:
		o.sink.Note(o.at(name), apierr.FieldType, apierr.NotInteger)
	case o.sink.Number(o.at(name), number, least, most):
		return &number
	}
	return nil
}

// OptionalBool reads true or false; absent and null are false.
func (o *Object) OptionalBool(name string) bool {
	value, ok := o.find(name)
	if !ok || value.Kind() == 'n' {
		return false
	}
	if value.Kind() != 't' && value.Kind() != 'f' {
		o.sink.Note(o.at(name), apierr.FieldType, apierr.NotBoolean)
	}
	return value.Kind() == 't'
}

// OptionalTime reads a time that may be absent or null; both are nil, as is an invalid one.
func (o *Object) OptionalTime(name string) *time.Time {
	text := o.OptionalString(name, invalid.Text{NotEmpty: true})
	if text == nil || *text == "" {
		return nil
	}
	at, err := timestamp.Parse(*text)
	if err != nil {
		o.sink.Note(o.at(name), apierr.FieldMalformed, timestamp.Phrase(err))
		return nil
	}
	return &at
}
