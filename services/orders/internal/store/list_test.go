package store

import (
	"bytes"
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// market is a few sellers with random orders, and the expected view of each, the newest change first.
type market struct {
	store      *Store
	sellers    []uuid.UUID
	placements []order.Placement
	views      map[uuid.UUID][]seen
}

type seen struct {
	view      order.Order
	placement *order.Placement
}

// newMarket places n random orders in batches, so that many share one updated_at.
func newMarket(t *testing.T, r *rand.Rand, n int) *market {
	t.Helper()
	s, db := setup(t)
	m := &market{store: s, sellers: []uuid.UUID{uuid.New(), uuid.New(), uuid.New()}, views: map[uuid.UUID][]seen{}}
	for i := range n {
		m.placements = append(m.placements, ordertest.Random(r, fmt.Sprintf("R-%04d", i), m.sellers))
	}
	for batch := range slices.Chunk(m.placements, 1+n/8) {
		place(t, s, batch...)
	}
	type key struct {
		seller uuid.UUID
		no     string
	}
	stamps := map[key]order.Order{}
	rows, err := db.Pool.Query(t.Context(), `select so.seller_id, o.order_no, so.order_id, so.updated_at
		from seller_orders so join orders o on o.seller_id = so.seller_id and o.order_id = so.order_id where so.updated_at is not null`)
	require.NoError(t, err)
	defer rows.Close()
	for rows.Next() {
		var k key
		var stamp order.Order
		require.NoError(t, rows.Scan(&k.seller, &k.no, &stamp.ID, &stamp.UpdatedAt))
		stamps[k] = stamp
	}
	require.NoError(t, rows.Err())
	for i := range m.placements {
		for _, seller := range m.sellers {
			if view, visible := ordertest.View(&m.placements[i], seller); visible {
				stamp := stamps[key{seller, view.No}]
				view.ID, view.UpdatedAt = stamp.ID, stamp.UpdatedAt
				m.views[seller] = append(m.views[seller], seen{view, &m.placements[i]})
			}
		}
	}
	for _, views := range m.views {
		slices.SortFunc(views, func(a, b seen) int {
			return cmp.Or(b.view.UpdatedAt.Compare(a.view.UpdatedAt), bytes.Compare(b.view.ID[:], a.view.ID[:]))
		})
	}
	return m
}

func (m *market) wanted(seller uuid.UUID, filter order.Filter) []order.Order {
	list := []order.Order{}
	for _, s := range m.views[seller] {
		if ordertest.Wants(filter, s.placement, seller, &s.view) {
			list = append(list, s.view)
		}
	}
	return list
}

// filter returns a random filter whose times are times that occur.
func (m *market) filter(r *rand.Rand, seller uuid.UUID) order.Filter {
	views := m.views[seller]
	at := func() *time.Time {
		view := views[r.IntN(len(views))].view
		return ptr([]time.Time{view.PaidAt, view.UpdatedAt, view.PaidAt.Add(time.Microsecond)}[r.IntN(3)])
	}
	span := func(length time.Duration) order.Range {
		from := views[r.IntN(len(views))].view.PaidAt
		return [...]order.Range{{From: &from}, {Until: &from}, {From: &from, Until: ptr(from.Add(length))}}[r.IntN(3)]
	}
	sometimes := func() bool { return r.IntN(3) == 0 }
	var f order.Filter
	if sometimes() {
		f.Status = order.Statuses()[r.IntN(len(order.Statuses()))]
	}
	if sometimes() {
		f.ItemState = order.VisibleStates()[r.IntN(len(order.VisibleStates()))]
	}
	if sometimes() {
		f.Paid = span(time.Duration(r.IntN(60*24)) * time.Hour)
	}
	if sometimes() {
		f.Updated = [...]order.Range{{From: at()}, {Until: at()}}[r.IntN(2)]
	}
	if sometimes() {
		f.ShipBy = ptr(ordertest.Epoch.Add(time.Duration(r.IntN(310)) * 24 * time.Hour).Add(beside(r)))
	}
	if r.IntN(2) == 0 {
		f.Change = &order.ChangeFilter{
			To: order.VisibleStates()[r.IntN(len(order.VisibleStates()))],
			At: span(time.Duration(r.IntN(60*24)) * time.Hour),
		}
	}
	if r.IntN(10) == 0 {
		f.No = views[r.IntN(len(views))].view.No
	}
	return f
}

// Every combination of filters returns exactly the orders that the API specifies, complete, in order, in pages of any size.
func TestList_everyFilterAsSpecified(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	m := newMarket(t, r, 400)
	for range 400 {
		seller := m.sellers[r.IntN(len(m.sellers))]
		filter := m.filter(r, seller)
		limit := []int{1, 3, 7, 50, 100}[r.IntN(5)]
		wanted := m.wanted(seller, filter)
		if limit == 1 && len(wanted) > 20 {
			limit = 7
		}
		require.Equal(t, wanted, append([]order.Order{}, walk(t, m.store, seller, filter, limit)...),
			"%+v in pages of %d", filter, limit)
	}
}

// Whatever a page may read, a list from its first page to its last is the same: complete, in order, and without repetition. Only
// its pages are shorter, and no more than the bound of a walk makes necessary.
func TestList_everyBound(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	m := newMarket(t, r, 400)
	for _, bound := range []bounds{
		{gather: 1, walk: 1}, {gather: 7, walk: 7}, {gather: 100, walk: 100}, {walk: 7}, {walk: 100}, {gather: 100, walk: 7},
	} {
		s, short := m.store.bounded(bound.gather, bound.walk), 0
		for range 25 {
			seller, limit := m.sellers[r.IntN(len(m.sellers))], []int{1, 7, 100}[r.IntN(3)]
			filter := m.filter(r, seller)
			wanted := m.wanted(seller, filter)
			list, pages := walkShort(t, s, seller, filter, limit)
			require.Equal(t, wanted, append([]order.Order{}, list...), "%+v: %+v in pages of %d", bound, filter, limit)
			full := len(wanted)/limit + 1
			require.LessOrEqual(t, len(pages), full+len(m.views[seller])/bound.walk, "%+v: %+v in pages of %d", bound, filter, limit)
			short += max(0, len(pages)-full)
		}
		require.Positive(t, short, "%+v: no page was short", bound)
	}
}

// A list filtered by an unknown order number is empty.
func TestList_unknownNumberIsEmpty(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	require.Empty(t, walk(t, s, uuid.New(), order.Filter{No: "NONE"}, 50))
}

// An order may have been paid a quarter of a century before its last change.
func TestList_paidDecadesAgo(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	seller, paidAt := uuid.New(), time.Date(2000, 1, 2, 0, 0, 0, 0, time.UTC)
	place(t, s, ordertest.New("L-1", paidAt, seller), ordertest.New("L-2", ordertest.Epoch, seller))
	for _, filter := range []order.Filter{
		{Paid: order.Range{Until: &paidAt}},
		{Paid: order.Range{From: &paidAt, Until: &paidAt}, Status: order.StatusPaid},
		{Change: &order.ChangeFilter{To: order.Paid, At: order.Range{Until: &paidAt}}},
	} {
		require.Equal(t, []string{"L-1"}, numbers(walk(t, s, seller, filter, 50)), "%+v", filter)
	}
}

// The last page has no next page, even if it is full.
func TestList_lastPageIsLast(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	seller := uuid.New()
	for i := range 6 {
		place(t, s, ordertest.New(fmt.Sprintf("L-%d", i), ordertest.Epoch, seller))
	}
	for limit, wanted := range map[int]bool{1: true, 5: true, 6: false, 7: false, 100: false} {
		page, err := s.List(t.Context(), seller, order.Filter{}, nil, limit)
		require.NoError(t, err)
		require.Equal(t, wanted, page.Next != nil, limit)
		require.Len(t, page.Rows, min(limit, 6))
	}
}
