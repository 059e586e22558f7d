package store

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"sellerapi.dev/services/orders/internal/order"
)

// spanNames are the names of what first_… and last_… of seller_orders are about: each state that is left again, and all that are
// never left together. Between those two times lie all changes to the state; lists rely on that, and on nothing more.
var spanNames = []string{"paid", "preparing", "shipping", "delivered", "ended"}

// spanOf is the name for a state.
func spanOf(state order.State) string {
	if state.Terminal() {
		return "ended"
	}
	return string(state)
}

// spanColumns are the columns, two for each name.
func spanColumns() []string {
	columns := make([]string, 0, 2*len(spanNames))
	for _, name := range spanNames {
		columns = append(columns, "first_"+name, "last_"+name)
	}
	return columns
}

// spans are the first and the last change by name.
type spans map[string][2]time.Time

// add notes a change.
func (s spans) add(state order.State, at time.Time) {
	name := spanOf(state)
	span, known := s[name]
	if !known {
		span = [2]time.Time{at, at}
	}
	if at.Before(span[0]) {
		span[0] = at
	}
	s[name] = [2]time.Time{span[0], later(span[1], at)}
}

// values are those of spanColumns.
func (s spans) values() []any {
	values := make([]any, 0, 2*len(spanNames))
	for _, name := range spanNames {
		values = append(values, stamp(s[name][0]), stamp(s[name][1]))
	}
	return values
}

// widen makes a statement that stamps an order widen the spans by what the plan lets items enter, for all sellers of the order.
// It returns the statement and its arguments.
func widen(name string, plan *order.Plan, args ...any) (string, []any) {
	entered := spans{}
	for _, entry := range plan.Entered {
		entered.add(entry.To, entry.At)
	}
	var text strings.Builder
	for _, name := range spanNames {
		span, known := entered[name]
		if !known {
			continue
		}
		first, last := "first_"+name, "last_"+name
		args = append(args, stamp(span[0]), stamp(span[1]))
		text.WriteString(", " + first + " = least(so." + first + ", $" + strconv.Itoa(len(args)-1) + ")")
		text.WriteString(", " + last + " = greatest(so." + last + ", $" + strconv.Itoa(len(args)) + ")")
	}
	return strings.Replace(queries.SQL(name), "/* spans */", text.String(), 1), slices.Clip(args)
}
