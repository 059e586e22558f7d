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

// List returns at most limit of the seller's orders that match the filter, newest change first, starting after the given
// position, or with the newest if it is nil.
func (s *Store) List(ctx context.Context, sellerID uuid.UUID, filter order.Filter, after *paging.Position,
	limit int,
) (paging.Page[order.Order], error) {
	statement, args := listStatement(sellerID, filter, after, limit+1, time.Now())
	orders, err := postgres.Page(ctx, s.pool, sellerID, func(ctx context.Context, db postgres.Querier) ([]order.Order, error) {
		return selectOrders(ctx, db, limit+1, statement, args...)
	})
	return paging.Cut(orders, limit), err
}

// listStatement chooses the statement of a page and inserts the filters that are set. All statements return the same page; now is
// used only to choose the fastest.
func listStatement(sellerID uuid.UUID, filter order.Filter, after *paging.Position, rows int, now time.Time) (string, []any) {
	afterTime, afterID := postgres.PageStart(after, filter.Updated.Until)
	args := []any{sellerID, rows, afterTime, afterID}
	inStates := filter.Status != "" || filter.ItemState != ""
	paidUntil := filter.Paid.Until != nil && filter.Paid.Until.Before(now)
	name, positions := "ListOrders", ""
	switch {
	case filter.No != "": // at most one order, whatever the other filters are
	case filter.Change != nil:
		name, positions = "ListOrdersByChange", postgres.Fill(queries.Text("PositionsByKind"), "change", enteredIn(filter.Change.To))
		args = append(append(args, kindArgs(filter)...), changeArgs(filter.Change)...)
	case paidUntil, inStates && filter.Paid.From != nil:
		name, positions = "ListOrdersByKind", postgres.Fill(queries.Text("PositionsByKind"), "change", "")
		args = append(args, kindArgs(filter)...)
	case inStates:
		name, positions = "ListOrdersByKind", queries.Text("PositionsByStatus")
		args = append(append(args, statusArgs(filter)...), lower(filter.Updated.From))
	}
	conditions := postgres.NewFilter(args...)
	addPaid(conditions, filter)
	if name == "ListOrders" {
		addOthers(conditions, filter)
		return page(name, conditions.Insert(queries.Text(name))), conditions.Args()
	}
	return page(name, conditions.Insert(postgres.Fill(queries.Text(name), "by kind", positions))), conditions.Args()
}

// statusArgs returns the first and the last status of a filter, and the bits of its item states.
func statusArgs(filter order.Filter) []any {
	from, until, states := int16(1), int16(len(statusCodes)-1), anyState
	if filter.Status != "" {
		from = statusCode(filter.Status)
		until = from
	}
	if filter.ItemState != "" {
		states = stateBits(order.SetOf(filter.ItemState))
	}
	return []any{from, until, states}
}

func kindArgs(filter order.Filter) []any {
	kinds := anyState
	paid, changed := filter.Paid, latest(filter.Updated.From, moved(filter.Paid.From, -order.ClockSlack))
	var ended, paidFrom *time.Time
	if change := filter.Change; change != nil {
		kinds = kindsThatEntered(change.To)
		paid.Until = earliest(paid.Until, moved(change.At.Until, order.ClockSlack))
		changed = latest(changed, moved(change.At.From, -order.ClockSlack))
		paidFrom = moved(change.At.From, -(shortCourse + order.ClockSlack))
		if change.To.Terminal() {
			ended = moved(change.At.Until, endedJustNow)
		}
	}
	return append(statusArgs(filter), kinds, lower(paid.From), upper(paid.Until), lower(changed), upper(ended), lower(paidFrom))
}

// kindsThatEntered returns a mask of kind: every order with an item that entered the state has at least one of its bits.
func kindsThatEntered(state order.State) int16 {
	switch {
	case state.Terminal(): // items never leave it
		return stateBits(order.SetOf(state))
	case state == order.Shipping || state == order.Delivered:
		return everShipped
	default:
		return anyState
	}
}

// hitsMost is the maximum number of changes for which ListOrdersByChange sorts the orders.
const hitsMost = 100

// changeArgs returns the arguments of ListOrdersByChange that follow kindArgs.
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

// enteredIn returns the condition that an item of an order entered the state in the range of ListOrdersByChange. The seconds in
// seller_orders decide, except in the first and the last second of the range, where status_changes decides.
//
// Terminal states share their seconds, so the order must also have an item in the state itself; $8 has its bit.
func enteredIn(state order.State) string {
	there := ""
	if state.Terminal() {
		there = "and so.line_states & $8::smallint <> 0 "
	}
	return there + strings.ReplaceAll("and so.last_? >= $18::integer and so.first_? <= $19::integer"+
		" and (so.first_? > $18::integer and so.last_? < $19::integer or (select true from status_changes c"+
		" where c.seller_id = $1 and c.order_id = so.order_id and c.to_status = $14 and c.changed_at between $15 and $16 limit 1))",
		"?", spanOf(state))
}

// addPaid adds the exact range of paid_at; the lag of PositionsByKind narrows it only roughly.
func addPaid(conditions *postgres.Filter, filter order.Filter) {
	postgres.AddPresent(conditions, "and so.paid_at >= ", filter.Paid.From)
	postgres.AddPresent(conditions, "and so.paid_at <= ", filter.Paid.Until)
}

// addOthers adds the other filters to ListOrders. All but the time of the change are used only together with an order number.
func addOthers(conditions *postgres.Filter, filter order.Filter) {
	postgres.AddPresent(conditions, "and so.updated_at >= ",
		latest(filter.Updated.From, moved(filter.Paid.From, -order.ClockSlack))) // updated_at is never earlier than paid_at
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

// page turns a statement that finds rows of seller_orders into one that returns orders with their items.
func page(name, statement string) string { return postgres.Named(name, withItems(statement)) }

func withItems(statement string) string {
	return "with page as (\n" + statement + "\n)\n" + queries.Text("ItemsOfPage")
}

// lower returns a lower bound, -infinity for nil.
func lower(at *time.Time) pgtype.Timestamptz { return bound(at, pgtype.NegativeInfinity) }

// upper returns an upper bound, infinity for nil.
func upper(at *time.Time) pgtype.Timestamptz { return bound(at, pgtype.Infinity) }

// bound returns a time, or the given infinity for nil.
func bound(at *time.Time, none pgtype.InfinityModifier) pgtype.Timestamptz {
	if at == nil {
		return pgtype.Timestamptz{InfinityModifier: none, Valid: true}
	}
	return pgtype.Timestamptz{Time: *at, Valid: true}
}

// moved returns a bound shifted by a duration; nil stays nil.
func moved(at *time.Time, by time.Duration) *time.Time {
	if at == nil {
		return nil
	}
	then := at.Add(by)
	return &then
}

// earliest returns the earlier of two bounds; nil means no bound.
func earliest(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.Before(*a) {
		return b
	}
	return a
}

// latest returns the later of two bounds; nil means no bound.
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
