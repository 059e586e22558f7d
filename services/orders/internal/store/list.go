package store

import (
	"context"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// week is the length of a week of paid_week.
const week = 7 * 24 * time.Hour

// List returns at most limit of the seller's orders that the filter wants, newest change first, beginning after the given
// position or, when it is nil, with the newest.
func (s *Store) List(ctx context.Context, sellerID uuid.UUID, filter order.Filter, after *paging.Position, limit int) (paging.Page[order.Order], error) {
	statement, args := listStatement(sellerID, filter, after, limit+1, time.Now())
	orders, err := postgres.Page(ctx, s.pool, sellerID, func(ctx context.Context, db postgres.Querier) ([]order.Order, error) {
		return selectOrders(ctx, db, limit+1, statement, args...)
	})
	return paging.Cut(orders, limit), err
}

// listStatement chooses the statement of a page and puts the filters that are set into it. All statements give the same
// page; now helps only to choose the fastest.
func listStatement(sellerID uuid.UUID, filter order.Filter, after *paging.Position, rows int, now time.Time) (string, []any) {
	afterTime, afterID := postgres.PageStart(after, filter.Updated.Until)
	args := []any{sellerID, rows, afterTime, afterID}
	name := "ListOrders"
	switch {
	case filter.No != "": // at most one order, whatever else is asked of it
	case filter.Change != nil:
		name = "ListOrdersByChange"
		args = append(args, string(filter.Change.To), from(filter.Change.At), until(filter.Change.At), mostHits(filter.Change, after, now))
	case filter.Paid.Until != nil && filter.Paid.Until.Before(now) && meetsMost(filter):
		name = "ListOrdersOfWeeks"
		first, last := weeksOf(filter.Paid)
		args = append(args, first, last)
	}
	conditions := postgres.NewFilter(args...)
	addConditions(conditions, filter)
	return page(name, conditions.Insert(queries.SQL(name))), conditions.Args()
}

// How many changes ListOrdersByChange takes at most to sort their orders.
const (
	hitsMost = 300
	// hitsMostFarBack is for a range that lies so far back that the walk would pass over too much to get there.
	hitsMostFarBack = 10_000
	// hitsMostEnded is for a state that is never left, whose own index holds hardly anything else.
	hitsMostEnded = 50
)

// mostHits chooses one of them.
func mostHits(change *order.ChangeFilter, after *paging.Position, now time.Time) int {
	switch {
	case liesFarBack(change.At, after, now):
		return hitsMostFarBack
	case change.To.Terminal():
		return hitsMostEnded
	default:
		return hitsMost
	}
}

// farBack is how many times its own length a range must lie back so that sorting what it holds takes less than passing over
// everything that was changed since, which costs about a fortieth for each order.
const farBack = 40

// liesFarBack reports whether a range lies far behind where the page begins.
func liesFarBack(in order.Range, after *paging.Position, now time.Time) bool {
	if in.From == nil || in.Until == nil {
		return false
	}
	begins := now
	if after != nil {
		begins = after.UpdatedAt
	}
	return begins.Sub(*in.Until)/farBack > in.Until.Sub(*in.From)
}

// addConditions adds what the row of seller_orders can say about the filter.
func addConditions(conditions *postgres.Filter, filter order.Filter) {
	if filter.No != "" {
		conditions.Add("and so.order_id = (select o.order_id from orders o where o.seller_id = $1 and o.order_no = {})", filter.No)
	}
	if filter.Status != "" {
		conditions.Add(ofStatus(filter), string(filter.Status))
	}
	if filter.ItemState != "" {
		conditions.Add(inState(filter.ItemState))
	}
	postgres.AddPresent(conditions, "and so.paid_at >= ", filter.Paid.From)
	if filter.Paid.From != nil { // what was paid at a time was changed then or later, but for clocks that are ahead
		conditions.Add("and so.updated_at >= ", filter.Paid.From.Add(-order.ClockSlack))
	}
	postgres.AddPresent(conditions, "and so.paid_at <= ", filter.Paid.Until)
	postgres.AddPresent(conditions, "and so.updated_at >= ", filter.Updated.From)
	if filter.Change != nil {
		addChange(conditions, filter)
	}
}

// addChange adds what a change says about the row beyond what ListOrdersByChange asks anyway.
func addChange(conditions *postgres.Filter, filter order.Filter) {
	change := filter.Change
	span := spanOf(change.To)
	last, first := "and so.last_"+span+" >= {}", "and so.first_"+span+" <= {}"
	if !meetsMost(filter) { // an index of the few has no spans, and one that has them must not be taken instead
		last, first = "and (so.last_"+span+" >= {}) is true", "and (so.first_"+span+" <= {}) is true"
	}
	postgres.AddPresent(conditions, last, change.At.From)
	postgres.AddPresent(conditions, first, change.At.Until)
	if change.To.Terminal() { // what entered it is still there, and that has an index
		conditions.Add(inState(change.To))
	}
	if filter.No != "" {
		conditions.Add("and exists (select from status_changes c where c.seller_id = so.seller_id and c.order_id = so.order_id"+
			" and c.to_status = {} and c.changed_at between {} and {})", string(change.To), from(change.At), until(change.At))
	}
}

// ofStatus is the condition that the order has the status. A list of changes to orders that are confirmed must not walk the index
// of that status, which has no spans: "is not distinct from" is what no index serves.
func ofStatus(filter order.Filter) string {
	if filter.Change != nil && filter.No == "" && filter.Status == order.StatusConfirmed {
		return "and so.order_status is not distinct from "
	}
	return "and so.order_status = "
}

// meetsMost reports whether most old orders are in the states that the filter asks for: nearly all end confirmed. Any other state
// holds few of them and has an index of its own. Searching for those week by week, or by spans, would pass over all others.
func meetsMost(filter order.Filter) bool {
	return (filter.Status == "" || filter.Status == order.StatusConfirmed) &&
		(filter.ItemState == "" || filter.ItemState == order.Confirmed)
}

// inState is the condition that an item is in the state. The state stands in the text because indexes are chosen by it.
func inState(state order.State) string {
	if !state.Visible() {
		panic("no index for state " + string(state))
	}
	return "and so.line_states @> '{" + string(state) + "}'"
}

// page completes a statement that finds rows of seller_orders to one that returns orders with their items.
func page(name, statement string) string {
	return "-- name: " + name + "\nwith page as (\n" + body(statement) + "\n)\n" + body(queries.SQL("ItemsOfPage"))
}

// body is a named statement without its name.
func body(statement string) string {
	_, text, _ := strings.Cut(statement, "\n")
	return text
}

// from is the earlier end of a range, infinitely early when it is open.
func from(r order.Range) pgtype.Timestamptz {
	if r.From == nil {
		return pgtype.Timestamptz{InfinityModifier: pgtype.NegativeInfinity, Valid: true}
	}
	return pgtype.Timestamptz{Time: *r.From, Valid: true}
}

// until is the later end of a range, infinitely late when it is open.
func until(r order.Range) pgtype.Timestamptz {
	if r.Until == nil {
		return pgtype.Timestamptz{InfinityModifier: pgtype.Infinity, Valid: true}
	}
	return pgtype.Timestamptz{Time: *r.Until, Valid: true}
}

// weeksOf returns the first and the last paid_week that a range with an end touches; 0, long before any order, when it has no
// beginning.
func weeksOf(r order.Range) (first, last int) {
	if r.From != nil {
		first = int(r.From.Unix() / int64(week/time.Second))
	}
	return first, int(r.Until.Unix() / int64(week/time.Second))
}
