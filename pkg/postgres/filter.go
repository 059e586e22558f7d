package postgres

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// valueMark is where Filter.Add puts a placeholder into a fragment.
const valueMark = "{}"

// Filter collects the conditions that a request actually has. A statement with
// "$n is null or …" for each possible filter gets one plan for all, which reads
// a thousand times as many rows as the plan for the filters that are present.
type Filter struct {
	fragments []string
	args      []any
}

// NewFilter returns a filter for a statement with its own placeholders $1 … $n
// for the given arguments; those of the filter are numbered from n+1.
func NewFilter(args ...any) *Filter { return &Filter{args: slices.Clone(args)} }

// Add appends a condition. Each {} in the fragment becomes the placeholder of the
// next value; a fragment without {} ends with its only value:
//
//	f.Add("and so.paid_at >= ", from)
//	f.Add("and so.paid_at between {} and {}", from, to)
//	f.Add("and so.paid_at is not null")
//
// Fragments are constants and never come from a request. A wrong number of
// values is a programming error and panics.
func (f *Filter) Add(fragment string, values ...any) {
	marks := strings.Count(fragment, valueMark)
	if marks == 0 && len(values) == 1 {
		fragment, marks = strings.TrimRight(fragment, " ")+" "+valueMark, 1
	}
	if marks != len(values) {
		panic(fmt.Sprintf("%d values for %q", len(values), fragment))
	}
	for _, value := range values {
		f.args = append(f.args, value)
		fragment = strings.Replace(fragment, valueMark, "$"+strconv.Itoa(len(f.args)), 1)
	}
	f.fragments = append(f.fragments, fragment)
}

// AddPresent adds the condition if the value is not nil.
func AddPresent[T any](f *Filter, fragment string, value *T) {
	if value != nil {
		f.Add(fragment, *value)
	}
}

// SQL returns the conditions, separated by spaces; empty if there are none.
func (f *Filter) SQL() string { return strings.Join(f.fragments, " ") }

// Insert returns the statement with the conditions at each mark
//
//	/* filters */
//
// A statement without the mark is a programming error and panics.
func (f *Filter) Insert(statement string) string {
	return Fill(statement, "filters", f.SQL())
}

// Args returns the statement's own arguments and those of the filter, in the
// order of the placeholders.
func (f *Filter) Args() []any { return f.args }
