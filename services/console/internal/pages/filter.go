package pages

import (
	"net/url"
	"slices"
	"strings"
)

// Filter is what a list of calls is narrowed to; empty fields select all. It is the query of the page.
type Filter struct {
	// From and Until are as they were typed: a date or a time in RFC 3339, UTC without an offset.
	From, Until                        string
	Key                                string // first 12 characters
	Operation, Code, RequestID, Record string
	// After is the cursor of the page.
	After string
}

// fields lists the fields of the filter by the names that they have in the query.
func (f *Filter) fields() []filterField {
	return []filterField{
		{"from", "requests.from", &f.From},
		{"until", "requests.until", &f.Until},
		{"key", "requests.key", &f.Key},
		{"operation", "requests.operation", &f.Operation},
		{"code", "requests.code", &f.Code},
		{"request_id", "requests.request_id", &f.RequestID},
		{"record", "requests.record", &f.Record},
		{"after", "", &f.After},
	}
}

type filterField struct {
	name  string
	label Word // empty: not a filter of the reader's
	value *string
}

// FilterFrom reads the query of the page.
func FilterFrom(query url.Values) Filter {
	var f Filter
	for _, field := range f.fields() {
		*field.value = strings.TrimSpace(query.Get(field.name))
	}
	return f
}

// Query returns the query of the page, empty if nothing is narrowed.
func (f Filter) Query() url.Values {
	query := url.Values{}
	for _, field := range f.fields() {
		if *field.value != "" {
			query.Set(field.name, *field.value)
		}
	}
	return query
}

func (f Filter) address() string {
	query := f.Query()
	if len(query) == 0 {
		return RequestsPath
	}
	return RequestsPath + "?" + query.Encode()
}

// chip is a filter that is set, with the address of the page without it.
type chip struct {
	Label         Word
	Value, Remove string
}

// Chips lists the filters that are set, for the template.
func (f Filter) Chips() []chip {
	var list []chip
	set := f.fields()
	for i, field := range set {
		if field.label == "" || *field.value == "" {
			continue
		}
		rest := f
		*rest.fields()[i].value, rest.After = "", ""
		list = append(list, chip{Label: field.label, Value: *field.value, Remove: rest.address()})
	}
	return slices.Clip(list)
}

// Latest returns the address of the first page with the same filter.
func (f Filter) Latest() string {
	f.After = ""
	return f.address()
}

// At returns the address of the page that begins at a cursor, with the same filter.
func (f Filter) At(cursor string) string {
	f.After = cursor
	return f.address()
}

// ByRecord returns the address of the calls on a record.
func ByRecord(record string) string { return Filter{Record: record}.address() }

// ByKey returns the address of the calls with the key that begins with a prefix.
func ByKey(prefix string) string { return Filter{Key: prefix}.address() }
