package store

import (
	"context"
	"math"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

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
	name, change := "ListOrders", ""
	switch {
	case filter.No != "": // at most one order, whatever else is asked of it
	case filter.Change != nil:
		name, change = "ListOrdersByChange", enteredIn(filter.Change.To)
		args = append(append(args, kindArgs(filter)...), changeArgs(filter.Change)...)
	case filter.Status != "" || filter.ItemState != "" || filter.Paid.Until != nil && filter.Paid.Until.Before(now):
		name = "ListOrdersByKind"
		args = append(args, kindArgs(filter)...)
	}
	conditions := postgres.NewFilter(args...)
	addPaid(conditions, filter)
	if name == "ListOrders" {
		addOthers(conditions, filter)
	}
	statement := queries.Text(name)
	if name != "ListOrders" {
		statement = postgres.Fill(statement, "by kind", postgres.Fill(queries.Text("PositionsByKind"), "change", change))
	}
	return page(name, conditions.Insert(statement)), conditions.Args()
}

// kindArgs are the arguments of PositionsByKind.
func kindArgs(filter order.Filter) []any {
	from, until, states, kinds := int16(1), int16(len(statusCodes)-1), anyState, anyState
	if filter.Status != "" {
		from = statusCode(filter.Status)
		until = from
	}
	if filter.ItemState != "" {
		states = stateBits(order.SetOf(filter.ItemState))
	}
	paid, changed := filter.Paid, latest(filter.Updated.From, moved(filter.Paid.From, -order.ClockSlack))
	if change := filter.Change; change != nil {
		kinds = kindsThatEntered(change.To)
		paid.Until = earliest(paid.Until, moved(change.At.Until, order.ClockSlack))
		changed = latest(changed, moved(change.At.From, -order.ClockSlack))
	}
	return []any{from, until, states, kinds, lower(paid.From), upper(paid.Until), lower(changed)}
}

// kindsThatEntered are bits of which the kind of every order with an item that entered the state has one.
func kindsThatEntered(state order.State) int16 {
	switch {
	case state.Terminal(): // it is still there
		return stateBits(order.SetOf(state))
	case state == order.Shipping || state == order.Delivered:
		return everShipped
	default:
		return anyState
	}
}

// hitsMost is how many changes ListOrdersByChange takes at most to sort their orders.
const hitsMost = 100

// changeArgs are those of ListOrdersByChange that follow.
func changeArgs(change *order.ChangeFilter) []any {
	first, last := int32(math.MinInt32), int32(math.MaxInt32)
	if change.At.From != nil {
		first = secondOf(*change.At.From)
	}
	if change.At.Until != nil {
		last = secondOf(*change.At.Until)
	}
	firstHour, lastHour := hoursOf(change.At)
	return []any{string(change.To), lower(change.At.From), upper(change.At.Until), hitsMost, first, last, firstHour, lastHour}
}

// enteredIn is the condition that an item of an order that has entered the state did so in the range of ListOrdersByChange.
// Seconds that lie within the range are enough; those that it begins and ends in are not.
//
// The seconds of the states that are never left are shared, so an order must have an item in that one; $8 are the bits of that.
func enteredIn(state order.State) string {
	there := ""
	if state.Terminal() {
		there = "and so.line_states & $8::smallint <> 0 "
	}
	return there + strings.ReplaceAll("and so.last_? >= $16::integer and so.first_? <= $17::integer"+
		" and (so.first_? > $16::integer and so.last_? < $17::integer or (select true from status_changes c"+
		" where c.seller_id = $1 and c.order_id = so.order_id and c.to_status = $12 and c.changed_at between $13 and $14 limit 1))",
		"?", spanOf(state))
}

// addPaid adds the range of the payment, which the lag of PositionsByKind knows roughly.
func addPaid(conditions *postgres.Filter, filter order.Filter) {
	postgres.AddPresent(conditions, "and so.paid_at >= ", filter.Paid.From)
	postgres.AddPresent(conditions, "and so.paid_at <= ", filter.Paid.Until)
}

// addOthers adds the other filters to ListOrders. All but the time of the change come with a number only.
func addOthers(conditions *postgres.Filter, filter order.Filter) {
	postgres.AddPresent(conditions, "and so.updated_at >= ",
		latest(filter.Updated.From, moved(filter.Paid.From, -order.ClockSlack))) // what was paid at a time was changed then or later
	if filter.No == "" {
		return
	}
	conditions.Add("and so.order_id = (select o.order_id from orders o where o.seller_id = $1 and o.order_no = {})", filter.No)
	if filter.Status != "" {
		conditions.Add("and so.order_status = ", statusCode(filter.Status))
	}
	if filter.ItemState != "" {
		conditions.Add("and so.line_states & {} <> 0", stateBits(order.SetOf(filter.ItemState)))
	}
	if filter.Change != nil {
		conditions.Add("and exists (select from status_changes c where c.seller_id = so.seller_id and c.order_id = so.order_id"+
			" and c.to_status = {} and c.changed_at between {} and {})",
			string(filter.Change.To), lower(filter.Change.At.From), upper(filter.Change.At.Until))
	}
}

// page completes a statement that finds rows of seller_orders to one that returns orders with their items.
func page(name, statement string) string { return postgres.Named(name, withItems(statement)) }

// withItems is a page's statement without its name.
func withItems(statement string) string {
	return "with page as (\n" + statement + "\n)\n" + queries.Text("ItemsOfPage")
}

// lower is a bound from below, infinitely early where there is none.
func lower(at *time.Time) pgtype.Timestamptz { return bound(at, pgtype.NegativeInfinity) }

// upper is a bound from above, infinitely late where there is none.
func upper(at *time.Time) pgtype.Timestamptz { return bound(at, pgtype.Infinity) }

// bound is a time, or infinity where there is none.
func bound(at *time.Time, none pgtype.InfinityModifier) pgtype.Timestamptz {
	if at == nil {
		return pgtype.Timestamptz{InfinityModifier: none, Valid: true}
	}
	return pgtype.Timestamptz{Time: *at, Valid: true}
}

// moved is a bound moved by so much; nil stays nil.
func moved(at *time.Time, by time.Duration) *time.Time {
	if at == nil {
		return nil
	}
	then := at.Add(by)
	return &then
}

// earliest is the earlier of two bounds of which either may be missing.
func earliest(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.Before(*a) {
		return b
	}
	return a
}

// latest is the later of two bounds of which either may be missing.
func latest(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.After(*a) {
		return b
	}
	return a
}

// hoursOf returns the first and the last changed_hour that a range touches.
func hoursOf(r order.Range) (first, last int32) {
	hour := func(at time.Time) int32 { return int32(math.Floor(float64(at.Unix()) / time.Hour.Seconds())) }
	first, last = math.MinInt32, math.MaxInt32
	if r.From != nil {
		first = hour(*r.From)
	}
	if r.Until != nil {
		last = hour(*r.Until)
	}
	return first, last
}
