package store

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// market is a few sellers with random orders, and the expected view of each, the newest change first.
type market struct {
	store      *Store
	db         *pgtest.DB
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
	m := &market{store: s, db: db, sellers: []uuid.UUID{uuid.New(), uuid.New(), uuid.New()}, views: map[uuid.UUID][]seen{}}
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
	requireSpans(t, m.db)
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

// ListOrdersByChange chooses between its two methods by a number of changes that tests do not reach. With small numbers both are
// taken, and each returns the same as the model.
func TestList_everyWayToChangesAgrees(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 4))
	m := newMarket(t, r, 300)
	seller := m.sellers[0]
	ways := map[string]int{"hits": hitsMost, "walk": -1, "both": 20}
	taken := map[string]bool{}
	for range 150 {
		filter := m.filter(r, seller)
		filter.No = ""
		if filter.Change == nil {
			continue
		}
		wanted := m.wanted(seller, filter)
		for name, most := range ways {
			require.Equal(t, numbers(wanted), numbers(walkTaking(t, m.store, seller, filter, most, taken)), "%s: %+v", name, filter)
		}
	}
	require.Equal(t, map[string]bool{"hits": true, "walk": true}, taken, "a query plan was never used")
}

// mostHitsArg is the index of $17, the largest number of changes whose orders are sorted.
const mostHitsArg = 16

// walkTaking reads a list in pages of 5, sorting at most this many changes, and records which methods were taken.
func walkTaking(t *testing.T, s *Store, seller uuid.UUID, filter order.Filter, most int, taken map[string]bool) []order.Order {
	t.Helper()
	const limit = 5
	var all []order.Order
	var after *paging.Position
	for {
		statement, args := listStatement(seller, filter, after, limit+1, time.Now())
		require.Contains(t, statement, "ListOrdersByChange")
		args[mostHitsArg] = most
		orders, err := s.orders(t.Context(), seller, limit+1, statement, args...)
		require.NoError(t, err)
		taken[wayOf(t, s, statement, args)] = true
		if len(orders) <= limit {
			return append(all, orders...)
		}
		all = append(all, orders[:limit]...)
		after = &paging.Position{UpdatedAt: all[len(all)-1].UpdatedAt, ID: all[len(all)-1].ID}
	}
}

func wayOf(t *testing.T, s *Store, statement string, args []any) string {
	t.Helper()
	_, ctes, _ := strings.Cut(statement, "with page as (\n")
	ctes, _, _ = strings.Cut(ctes, "select so.*\nfrom (\n  (\n")
	// others follow
	ctes = strings.NewReplacer("$14", "$2", "$15", "$3", "$16", "$4", "$17", "$5", "$20", "$6", "$21", "$7").Replace(ctes)
	var way string
	require.NoError(t, postgres.OfSeller(s.pool, args[0].(uuid.UUID)).QueryRow(context.WithoutCancel(t.Context()),
		ctes+" select case when few then 'hits' else 'walk' end from counted", args[0], args[13], args[14], args[15], args[mostHitsArg],
		args[19], args[20]).Scan(&way))
	return way
}

// A list filtered by an unknown order number is empty.
func TestList_unknownNumberIsEmpty(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	require.Empty(t, walk(t, s, uuid.New(), order.Filter{No: "NONE"}, 50))
}

// An order may have been paid a quarter of a century before its last change: its lag must not lead to a time out of range.
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
		require.Equal(t, wanted, page.More, limit)
		require.Len(t, page.Rows, min(limit, 6))
	}
}
