package store

import (
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// BenchmarkRowSecurity reads pages of 50 orders as the service does; the same with DATABASE_ROW_SECURITY=off; as a role that is
// exempt from policies; and without row-level security, as that role and with a statement that is sent alone.
//
//	go test ./internal/store -run '^$' -bench 'RowSecurity$' -benchtime 20x
func BenchmarkRowSecurity(b *testing.B) {
	s, db := setup(b)
	seller := uuid.New()
	placements := make([]order.Placement, 200)
	for i := range placements {
		placements[i] = ordertest.New(fmt.Sprintf("B-%03d", i), ordertest.Epoch, seller)
	}
	place(b, s, placements...)
	_, err := db.Pool.Exec(b.Context(), "analyze")
	require.NoError(b, err)
	statement, args := s.walkStatement(seller, order.Filter{}, nil, 51)
	off := *db
	off.Config.RowSecurity = "off"
	unnamed := New(off.AsService(b), order.DefaultTerms())
	unheld := New(db.Pool, order.DefaultTerms())
	type page = paging.Page[order.Order]
	var secured, open page
	pages := func(got *page, read func() (page, error)) func() {
		return func() {
			for range 100 {
				*got, err = read()
				require.NoError(b, err)
			}
		}
	}
	ordertest.Compare(b,
		ordertest.Side{Name: "secured", Run: pages(&secured, func() (page, error) {
			return s.List(b.Context(), seller, order.Filter{}, nil, 50)
		})},
		ordertest.Side{Name: "off", Run: pages(&secured, func() (page, error) {
			return unnamed.List(b.Context(), seller, order.Filter{}, nil, 50)
		})},
		ordertest.Side{Name: "unheld", Run: pages(&secured, func() (page, error) {
			return unheld.List(b.Context(), seller, order.Filter{}, nil, 50)
		})},
		ordertest.Side{Name: "open", Run: pages(&open, func() (page, error) {
			return selectPage(b.Context(), db.Pool, 50, statement, args...)
		})})
	require.Equal(b, open, secured)
}
