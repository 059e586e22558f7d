package store

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres/pgtest"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
)

func setup(tb testing.TB) (*Store, *pgtest.DB) {
	tb.Helper()
	db := pgtest.New(tb, Migrations())
	db.Config.Settings = Settings()
	db.Pool = db.Open(tb, telemetrytest.Discard(tb))
	return New(db.AsService(tb), order.DefaultTerms()), db
}

// place places the orders, every one of which must be new.
func place(tb testing.TB, s *Store, placements ...order.Placement) {
	tb.Helper()
	results, err := s.Place(tb.Context(), placements)
	require.NoError(tb, err)
	for i, result := range results {
		require.Equal(tb, Placed, result.Outcome, placements[i].No)
	}
}

func walk(tb testing.TB, s *Store, seller uuid.UUID, filter order.Filter, limit int) []order.Order {
	tb.Helper()
	var all []order.Order
	var after *paging.Position
	for {
		page, err := s.List(tb.Context(), seller, filter, after, limit)
		require.NoError(tb, err)
		require.LessOrEqual(tb, len(page.Rows), limit)
		all = append(all, page.Rows...)
		if !page.More {
			return all
		}
		require.Len(tb, page.Rows, limit, "every page but the last is full")
		last := all[len(all)-1]
		after = &paging.Position{UpdatedAt: last.UpdatedAt, ID: last.ID}
	}
}

func numbers(orders []order.Order) []string {
	list := make([]string, 0, len(orders))
	for _, o := range orders {
		list = append(list, o.No)
	}
	return list
}

func ptr(at time.Time) *time.Time { return &at }
