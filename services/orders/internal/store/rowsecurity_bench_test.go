package store

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

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
	statement, args := listStatement(seller, order.Filter{}, nil, 51, time.Now())
	off := *db
	off.Config.RowSecurity = "off"
	unnamed := New(off.AsService(b), order.DefaultTerms())
	unheld := New(db.Pool, order.DefaultTerms())
	var secured, open []order.Order
	pages := func(page *[]order.Order, read func() ([]order.Order, error)) func() {
		return func() {
			for range 100 {
				*page, err = read()
				require.NoError(b, err)
			}
		}
	}
	ordertest.Compare(b,
		ordertest.Side{Name: "secured", Run: pages(&secured, func() ([]order.Order, error) {
			return s.orders(b.Context(), seller, 51, statement, args...)
		})},
		ordertest.Side{Name: "off", Run: pages(&secured, func() ([]order.Order, error) {
			return unnamed.orders(b.Context(), seller, 51, statement, args...)
		})},
		ordertest.Side{Name: "unheld", Run: pages(&secured, func() ([]order.Order, error) {
			return unheld.orders(b.Context(), seller, 51, statement, args...)
		})},
		ordertest.Side{Name: "open", Run: pages(&open, func() ([]order.Order, error) {
			rows, err := db.Pool.Query(b.Context(), statement, args...)
			if err != nil {
				return nil, err
			}
			return readOrders(rows, 51)
		})})
	require.Equal(b, open, secured)
}
