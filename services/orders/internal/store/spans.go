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

// spanNames are the suffixes of the columns first_… and last_… of seller_orders: one for each non-terminal state, and one for
// all terminal states together. The two columns are the seconds of the first and the last change to the state, so a list needs
// no other data to select an order if one of the two is in the requested range.
var spanNames = []string{"paid", "preparing", "shipping", "delivered", "ended"}

func spanOf(state order.State) string {
	if state.Terminal() {
		return "ended"
	}
	return string(state)
}

// spanColumns returns the columns, two for each name.
func spanColumns() []string {
	columns := make([]string, 0, 2*len(spanNames))
	for _, name := range spanNames {
		columns = append(columns, "first_"+name, "last_"+name)
	}
	return columns
}

// spans maps a span name to the times of the first and the last change.
type spans map[string][2]time.Time

// add widens the span of a state to include a change.
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

func (s spans) values() []any {
	values := make([]any, 0, 2*len(spanNames))
	for _, name := range spanNames {
		values = append(values, second(s[name][0]), second(s[name][1]))
	}
	return values
}

// widen extends a statement that updates seller_orders: it also widens the spans of each seller by the changes that the plan
// makes to the seller's items. It returns the statement and its arguments. The statement numbers the sellers as nth.
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
