package store

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// spanNames are the names of what first_… and last_… of seller_orders are about: each state that is left again, and all that are
// never left together. Between those two seconds lie all changes to the state, and both are times of changes: a list takes an order by
// them alone where one of the two lies in the range that is asked for.
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
		values = append(values, second(s[name][0]), second(s[name][1]))
	}
	return values
}

// widen makes a statement that stamps an order widen the spans of each seller by what the plan lets that one's items enter. It returns
// the statement and its arguments. The statement numbers the sellers as nth.
func widen(name string, plan *order.Plan, sellers []order.SellerStanding, args ...any) (string, []any) {
	entered := make(map[uuid.UUID]spans, len(sellers))
	for _, seller := range sellers {
		entered[seller.ID] = spans{}
	}
	known := spans{}
	for _, entry := range plan.Entered {
		entered[entry.SellerID].add(entry.To, entry.At)
		known.add(entry.To, entry.At)
	}
	var text strings.Builder
	for _, name := range spanNames {
		if _, has := known[name]; !has {
			continue
		}
		first, last := make([]pgtype.Int4, len(sellers)), make([]pgtype.Int4, len(sellers))
		for i, seller := range sellers {
			first[i], last[i] = second(entered[seller.ID][name][0]), second(entered[seller.ID][name][1])
		}
		args = append(args, first, last)
		for i, column := range []string{"first_" + name + " = least(so.first_", "last_" + name + " = greatest(so.last_"} {
			text.WriteString(", " + column + name + ", ($" + strconv.Itoa(len(args)-1+i) + "::integer[])[s.nth])")
		}
	}
	return postgres.Fill(queries.SQL(name), "spans", text.String()), slices.Clip(args)
}
