package postgres

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// valueMark is where Filter.Add puts a placeholder into a fragment.
const valueMark = "{}"

// Filter collects the conditions that a request really has. A statement with
// "$n is null or …" for each possible filter gets one plan for all, which reads
// a thousand times more than the plan for the filters that are present.
type Filter struct {
	fragments []string
	args      []any
}

// NewFilter begins a filter for a statement that has its own placeholders
// $1 … $n for the given arguments; those of the filter are numbered from there on.
func NewFilter(args ...any) *Filter { return &Filter{args: slices.Clone(args)} }

// Add appends a condition. Each {} in the fragment becomes the placeholder of the
// next value; a fragment without {} ends with its only value:
//
//	f.Add("and so.paid_at >= ", from)
//	f.Add("and so.paid_at between {} and {}", from, to)
//	f.Add("and so.paid_at is not null")
//
// Fragments are program text and never come from a request. A number of values
// that does not fit is a mistake of the program and panics.
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

// AddPresent adds the condition if there is a value.
func AddPresent[T any](f *Filter, fragment string, value *T) {
	if value != nil {
		f.Add(fragment, *value)
	}
}

// SQL returns the conditions, separated by spaces; nothing when there are none.
func (f *Filter) SQL() string { return strings.Join(f.fragments, " ") }

// Insert returns the statement with the conditions at each mark
//
//	/* filters */
//
// A statement without the mark is a mistake of the program and panics.
func (f *Filter) Insert(statement string) string {
	return Fill(statement, "filters", f.SQL())
}

// Args returns the statement's own arguments and those of the filter, in the
// order of the placeholders.
func (f *Filter) Args() []any { return f.args }
