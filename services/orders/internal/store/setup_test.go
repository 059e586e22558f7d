package store

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
)

func setup(tb testing.TB) (*Store, *pgtest.DB) {
	tb.Helper()
	db := pgtest.New(tb, Migrations())
	db.Config.Settings = postgres.PlannerSettings()
	db.Pool = db.Open(tb, telemetrytest.Discard(tb))
	return New(db.AsService(tb), order.DefaultTerms()), db
}

// place places the orders, every one of which must be new.
func place(tb testing.TB, s *Store, placements ...order.Placement) {
	tb.Helper()
	results, err := s.Place(tb.Context(), placements)
	require.NoError(tb, err)
	for i, result := range results {
		require.Equal(tb, order.Placed, result.Outcome, placements[i].No)
	}
}

// walk reads a list, which is shorter than a page may read, to its end.
func walk(tb testing.TB, s *Store, seller uuid.UUID, filter order.Filter, limit int) []order.Order {
	tb.Helper()
	all, pages := walkShort(tb, s, seller, filter, limit)
	for _, rows := range pages[:len(pages)-1] {
		require.Equal(tb, limit, rows, "every page but the last is full")
	}
	return all
}

// walkShort reads a list of which pages may be short to its end, and returns how many rows each has.
func walkShort(tb testing.TB, s *Store, seller uuid.UUID, filter order.Filter, limit int) (all []order.Order, pages []int) {
	tb.Helper()
	var after *paging.Position
	for {
		page, err := s.List(tb.Context(), seller, filter, after, limit)
		require.NoError(tb, err)
		require.LessOrEqual(tb, len(page.Rows), limit)
		all, pages = append(all, page.Rows...), append(pages, len(page.Rows))
		if after = page.Next; after == nil {
			return all, pages
		}
	}
}

// bounded returns the store with other bounds.
func (s *Store) bounded(gather, walk int) *Store {
	other := New(s.pool, s.terms)
	other.bounds = bounds{gather: gather, walk: walk, histories: walk}
	return other
}

func numbers(orders []order.Order) []string {
	list := make([]string, 0, len(orders))
	for _, o := range orders {
		list = append(list, o.No)
	}
	return list
}

func ptr(at time.Time) *time.Time { return &at }
