package store

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/services/orders/internal/order"
)

type moments struct {
	id            uuid.UUID
	paid, updated time.Time
}

// A list has the orders that a statement finds which compares every order with the filter, whatever a page may read, with bounds
// and positions on the times of orders and beside them.
func TestList_agreesWithComparingAll(t *testing.T) {
	t.Parallel()
	const orders = 600
	plain, mixed, imported := fill(t, orders), fill(t, orders), fill(t, orders)
	mixed.exec(t, mixSQL, "vacuum analyze seller_orders")
	imported.exec(t, importSQL, "vacuum analyze seller_orders")
	for name, f := range map[string]filled{"plain": plain, "mixed": mixed, "imported": imported} {
		r := rand.New(rand.NewPCG(5, 6))
		known := f.known(t)
		found := 0
		for turn := range 800 {
			filter, after := drawRange(r, known), drawPosition(r, known)
			if name != "mixed" && r.IntN(2) == 0 { // mix.sql does not write the history
				filter.Change = drawChange(r, known, filter.Paid)
				filter.Paid = order.Range{}
			}
			if r.IntN(4) == 0 {
				filter.ShipBy = drawShipBy(r, known)
			}
			if after != nil {
				filter.Updated.Until = nil // a cursor stands for it
			}
			limit := []int{1, 7, 50, 100}[r.IntN(4)]
			s := f.store(drawBounds(r, turn))
			got := f.firstOf(t, s, filter, after, limit)
			require.Equal(t, f.compareAll(t, filter, after, limit), got, "%s, %+v: %+v after %v", name, s.bounds, filter, after)
			found += len(got)
		}
		require.Greater(t, found, 4_000, "the ranges of %s hold hardly any orders", name)
	}
}

// drawBounds returns the usual bounds or small ones; the smallest, which take a page for each order, in few turns.
func drawBounds(r *rand.Rand, turn int) (gather, walk int) {
	small := []int{100, 7, 100, usualBounds.walk}
	if turn%40 == 0 {
		small = []int{1}
	}
	return r.IntN(2) * small[r.IntN(len(small))], small[r.IntN(len(small))]
}

// firstOf returns the ids of the first orders of a list after a position.
func (f filled) firstOf(t *testing.T, s *Store, filter order.Filter, after *paging.Position, orders int) []uuid.UUID {
	t.Helper()
	ids := make([]uuid.UUID, 0, orders)
	for {
		page, err := s.List(t.Context(), f.seller, filter, after, orders-len(ids))
		require.NoError(t, err)
		for _, o := range page.Rows {
			ids = append(ids, o.ID)
		}
		if after = page.Next; after == nil || len(ids) == orders {
			return ids
		}
	}
}

func (f filled) known(t *testing.T) []moments {
	t.Helper()
	rows, err := f.db.Pool.Query(t.Context(), `select order_id, paid_at, updated_at from seller_orders
		where seller_id = $1 order by order_id`, f.seller)
	require.NoError(t, err)
	known, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (m moments, err error) {
		return m,
			row.Scan(&m.id, &m.paid, &m.updated)
	})
	require.NoError(t, err)
	return known
}

// compareAll returns the ids of a page, from a statement that compares all orders of the seller with the filter.
func (f filled) compareAll(t *testing.T, filter order.Filter, after *paging.Position, rows int) []uuid.UUID {
	t.Helper()
	var status, states int16
	if filter.Status != "" {
		status = statusCode(filter.Status)
	}
	if filter.ItemState != "" {
		states = stateBits(order.SetOf(filter.ItemState))
	}
	var change order.ChangeFilter
	if filter.Change != nil {
		change = *filter.Change
	}
	var before *time.Time
	last := uuid.Max
	if after != nil {
		before, last = &after.UpdatedAt, after.ID
	}
	found, err := f.db.Pool.Query(t.Context(), `select so.order_id from seller_orders so
		where so.seller_id = $1 and so.paid_at between $2 and $3 and so.updated_at between $4 and $5
			and ($6 = 0 or so.order_status = $6) and ($7 = 0 or so.line_states & $7 <> 0)
			and (so.updated_at, so.order_id) < ($8, $9)
			and ($10 = '' or exists (select from status_changes c where c.seller_id = $1 and c.order_id = so.order_id and c.to_status = $10
				and c.changed_at between $11 and $12))
			and ($14::timestamptz is null or exists (select from lines l where l.seller_id = $1 and l.order_id = so.order_id
				and l.item_status in ('paid', 'preparing') and l.ship_by <= $14))
		order by so.updated_at desc, so.order_id desc
		limit $13`, f.seller, lower(filter.Paid.From), upper(filter.Paid.Until), lower(filter.Updated.From),
		upper(filter.Updated.Until),
		status, states, upper(before), last, string(change.To), lower(change.At.From), upper(change.At.Until), rows, filter.ShipBy)
	require.NoError(t, err)
	ids, err := pgx.CollectRows(found, pgx.RowTo[uuid.UUID])
	require.NoError(t, err)
	return ids
}

// drawRange returns a filter with a range of payments, and sometimes a status, a state of items, and a bound on the last change.
func drawRange(r *rand.Rand, known []moments) (filter order.Filter) {
	from := known[r.IntN(len(known))].paid.Add(beside(r))
	until := from.Add(time.Duration(r.ExpFloat64() * float64(20*24*time.Hour))).Truncate(time.Microsecond)
	filter.Paid = [...]order.Range{{From: &from, Until: &until}, {From: &from, Until: &until}, {Until: &until}}[r.IntN(3)]
	if r.IntN(4) == 0 {
		filter.Status = order.Statuses()[r.IntN(len(order.Statuses()))]
	}
	if r.IntN(4) == 0 {
		filter.ItemState = order.VisibleStates()[r.IntN(len(order.VisibleStates()))]
	}
	if r.IntN(6) == 0 {
		at := known[r.IntN(len(known))].updated.Add(beside(r))
		filter.Updated = [...]order.Range{{From: &at}, {Until: &at}}[r.IntN(2)]
	}
	return filter
}

// drawChange returns a change to any state, or to the one that most orders end in, in a range or some days later, as the course
// of an order takes up to 16; sometimes in the day before one of the newest changes, which import.sql lets another one follow.
func drawChange(r *rand.Rand, known []moments, at order.Range) *order.ChangeFilter {
	later := time.Duration(r.IntN(2)*r.IntN(16*24)) * time.Hour
	change := &order.ChangeFilter{To: order.Confirmed, At: order.Range{From: moved(at.From, later), Until: moved(at.Until, later)}}
	if r.IntN(3) == 0 {
		until := known[r.IntN(len(known)/5)].updated.Add(-40 * time.Second).Add(beside(r))
		change.At = order.Range{From: moved(&until, -24*time.Hour), Until: &until}
	}
	if r.IntN(2) == 0 {
		change.To = order.VisibleStates()[r.IntN(len(order.VisibleStates()))]
	}
	return change
}

// drawPosition returns none, that of an order, or one beside it.
func drawPosition(r *rand.Rand, known []moments) *paging.Position {
	if r.IntN(2) == 0 {
		return nil
	}
	at := known[r.IntN(len(known))]
	return &paging.Position{UpdatedAt: at.updated.Add(beside(r)), ID: at.id}
}

// drawShipBy returns a time by which orders are to be shipped: around that of one of the last ones, or one of all. fill.sql gives
// two days.
func drawShipBy(r *rand.Rand, known []moments) *time.Time {
	last := known[r.IntN(min(len(known), []int{5, len(known)}[r.IntN(2)]))]
	return ptr(last.paid.Add(48 * time.Hour).Add(beside(r)))
}

func beside(r *rand.Rand) time.Duration { return time.Duration(r.IntN(3)-1) * time.Microsecond }

// moved returns a bound shifted by a duration; nil stays nil.
func moved(at *time.Time, by time.Duration) *time.Time {
	if at == nil {
		return nil
	}
	then := at.Add(by)
	return &then
}
