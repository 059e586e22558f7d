package store

import (
	"context"
	"math"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// bounds limit what a page reads: the entries of a condition whose orders are gathered, those of a walk, and those of a walk that
// reads the history of each order, some four blocks. queries/list.sql explains them.
type bounds struct{ gather, walk, histories int }

var usualBounds = bounds{gather: 3_000, walk: 10_000, histories: 2_500}

// List returns at most limit of the seller's orders that match the filter, newest change first, starting after the given
// position, or with the newest if it is nil.
func (s *Store) List(ctx context.Context, sellerID uuid.UUID, filter order.Filter, after *paging.Position,
	limit int,
) (paging.Page[order.Order], error) {
	return postgres.Page(ctx, s.pool, sellerID, func(ctx context.Context, db postgres.Querier) (paging.Page[order.Order], error) {
		return s.list(ctx, db, sellerID, filter, after, limit)
	})
}

// list gathers the orders of a page, or walks. A page that was gathered and is empty says too little: either nothing matches, or
// there are too many candidates. Only then are they counted.
func (s *Store) list(ctx context.Context, db postgres.Querier, sellerID uuid.UUID, filter order.Filter, after *paging.Position,
	limit int,
) (paging.Page[order.Order], error) {
	for _, from := range s.candidates(filter) {
		gather := func() (paging.Page[order.Order], error) {
			statement, args := gatherStatement(sellerID, filter, from, after, limit+1)
			return selectPage(ctx, db, limit, statement, args...)
		}
		page, err := gather()
		if err != nil || len(page.Rows) > 0 {
			return page, err
		}
		few, err := s.hasFew(ctx, db, sellerID, from)
		if err != nil {
			return page, err
		}
		if few && from.leave {
			from.args[0] = math.MaxInt32
			return gather()
		}
		if few {
			return page, nil
		}
	}
	statement, args := s.walkStatement(sellerID, filter, after, limit+1)
	return selectPage(ctx, db, limit, statement, args...)
}

// walkStatement returns the statement of a page that is walked, with its arguments.
func (s *Store) walkStatement(sellerID uuid.UUID, filter order.Filter, after *paging.Position, rows int) (string, []any) {
	entries := s.bounds.walk
	if filter.Change != nil {
		entries = s.bounds.histories
	}
	statement := postgres.Fill(queries.SQL("WalkOrders"), "open", openIn(filter))
	return pageStatement(statement, filter, append(pageArgs(sellerID, filter, after, rows), entries))
}

// gatherStatement returns the statement of a page that is gathered, with its arguments.
func gatherStatement(sellerID uuid.UUID, filter order.Filter, from candidates, after *paging.Position, rows int) (string, []any) {
	statement := postgres.Fill(queries.SQL("GatherOrders"), "candidates", queries.Text(from.orders))
	return pageStatement(statement, from.others, append(pageArgs(sellerID, filter, after, rows), from.args...))
}

// pageArgs returns the arguments that gathering and walking have in common.
func pageArgs(sellerID uuid.UUID, filter order.Filter, after *paging.Position, rows int) []any {
	afterTime, afterID := postgres.PageStart(after, filter.Updated.Until)
	return []any{sellerID, rows, afterTime, afterID, lower(updatedFrom(filter))}
}

// pageStatement adds the conditions of the filter and the columns of a page.
func pageStatement(statement string, filter order.Filter, args []any) (string, []any) {
	conditions := postgres.NewFilter(args...)
	addConditions(conditions, filter)
	return page(conditions.Insert(statement)), conditions.Args()
}

// candidates are the orders that match the condition that they are gathered by. The statement and its arguments select them, none
// if they have as many entries as the first argument; count is the statement that counts these, empty if there are few by nature;
// others are the other conditions. Payments and changes stay, so few entries were few for an earlier statement too. Entries that
// leave may have been too many for it: then their orders are gathered again, however many there are.
type candidates struct {
	orders, count string
	args          []any
	others        order.Filter
	leave         bool
}

// candidates returns those of each condition that orders are gathered by, the most selective first.
func (s *Store) candidates(filter order.Filter) (all []candidates) {
	others := filter
	if others.No = ""; filter.No != "" {
		return []candidates{{orders: "OrderNumbered", args: []any{filter.No}, others: others}}
	}
	most := s.bounds.gather + 1
	if change := filter.Change; change != nil {
		others.Change = nil
		args := []any{most, string(change.To), lower(change.At.From), upper(change.At.Until)}
		all = append(all, candidates{"OrdersChanged", "CountChanged", args, others, false})
		others.Change = change
	}
	if filter.ShipBy != nil {
		others.ShipBy = nil
		all = append(all, candidates{"OrdersToShip", "CountToShip", []any{most, *filter.ShipBy}, others, true})
		return all // the index of payments lacks ship_by
	}
	if filter.Paid != (order.Range{}) {
		others.Paid = order.Range{}
		args := []any{most, lower(filter.Paid.From), upper(filter.Paid.Until)}
		all = append(all, candidates{"OrdersPaid", "CountPaid", args, others, false})
	}
	return all
}

// hasFew reports whether the candidates have few enough entries to gather their orders.
func (s *Store) hasFew(ctx context.Context, db postgres.Querier, sellerID uuid.UUID, from candidates) (bool, error) {
	if from.count == "" {
		return true, nil
	}
	rows, _ := db.Query(ctx, queries.SQL(from.count), append([]any{sellerID}, from.args...)...)
	entries, err := pgx.CollectExactlyOneRow(rows, pgx.RowTo[int])
	return entries <= s.bounds.gather, postgres.Classify(postgres.Wrap("count the entries of a condition", err))
}

// updatedFrom returns the lower bound of updated_at. An order is never updated before its payment and the changes of its items.
func updatedFrom(filter order.Filter) *time.Time {
	event := filter.Paid.From
	if filter.Change != nil {
		event = latest(event, filter.Change.At.From)
	}
	if event != nil {
		slack := event.Add(-order.ClockSlack)
		event = &slack
	}
	return latest(filter.Updated.From, event)
}

// openIn returns the condition of seller_orders_open if every order that matches the filter meets it.
func openIn(filter order.Filter) string {
	openItem := filter.ItemState != "" && !filter.ItemState.Terminal()
	openOrder := filter.Status != "" && statusCode(filter.Status) < statusCode(order.StatusConfirmed)
	if openItem || openOrder || filter.ShipBy != nil {
		return "and (so.order_status < 5 or so.line_states & 15 <> 0)"
	}
	return ""
}

// addConditions adds the conditions that are set, other than those on updated_at. The one on changes, which is not in the index
// of a walk, is last, so that it is evaluated only for orders that meet the others.
func addConditions(conditions *postgres.Filter, filter order.Filter) {
	postgres.AddPresent(conditions, "and so.paid_at >= ", filter.Paid.From)
	postgres.AddPresent(conditions, "and so.paid_at <= ", filter.Paid.Until)
	if filter.Status != "" {
		conditions.Add("and so.order_status = ", statusCode(filter.Status))
	}
	if filter.ItemState != "" {
		conditions.Add("and so.line_states & {} <> 0", stateBits(order.SetOf(filter.ItemState)))
	}
	postgres.AddPresent(conditions, "and so.ship_by <= ", filter.ShipBy)
	if change := filter.Change; change != nil {
		conditions.Add("and (select true from (select c.* from status_changes c where c.seller_id = $1 and c.order_id = so.order_id"+
			" offset 0) c where c.to_status = {} and c.changed_at between {} and {} limit 1)",
			string(change.To), lower(change.At.From), upper(change.At.Until))
	}
}

// page turns a statement that finds orders into one that returns them with their items.
func page(statement string) string {
	return postgres.Named(postgres.QueryName(statement), "with page as (\n"+statement+"\n)\n"+queries.Text("ItemsOfPage"))
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

// latest returns the later of two bounds; nil means no bound.
func latest(a, b *time.Time) *time.Time {
	if a == nil || b != nil && b.After(*a) {
		return b
	}
	return a
}
