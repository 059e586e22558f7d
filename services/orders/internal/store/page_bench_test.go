package store

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// BenchmarkPage reads pages of 50 orders with two items each, decoded by hand and scanned by pgx, a hundred pages per iteration.
//
//	go test ./internal/store -run '^$' -bench 'Page$' -benchtime 20x
func BenchmarkPage(b *testing.B) {
	s, db := setup(b)
	seller := uuid.New()
	placements := make([]order.Placement, 200)
	for i := range placements {
		placements[i] = ordertest.New(fmt.Sprintf("B-%03d", i), ordertest.Epoch, seller)
		line := ordertest.NewLine()
		ordertest.History(&line, ordertest.Epoch, time.Hour, order.Shipping, order.Delivered)
		placements[i].Parts[0].Lines = append(placements[i].Parts[0].Lines, line)
	}
	place(b, s, placements...)
	_, err := db.Pool.Exec(b.Context(), "analyze")
	require.NoError(b, err)
	statement, args, err := s.listStatement(b.Context(), nil, seller, order.Filter{}, nil, 51)
	require.NoError(b, err)
	scoped := postgres.OfSeller(s.pool, seller)
	var decoded, scanned []order.Order
	read := func(orders func() ([]order.Order, error), into *[]order.Order) func() {
		return func() {
			for range 100 {
				*into, err = orders()
				require.NoError(b, err)
			}
		}
	}
	ordertest.Compare(b,
		ordertest.Side{Name: "decoded", Run: read(func() ([]order.Order, error) {
			page, err := selectPage(b.Context(), scoped, 50, statement, args...)
			return page.Rows, err
		}, &decoded)},
		ordertest.Side{Name: "scanned", Run: read(func() ([]order.Order, error) {
			return scanOrders(b.Context(), scoped, 51, statement, args...)
		}, &scanned)})
	require.Equal(b, scanned[:50], decoded)
}

// scanOrders is selectPage with the fastest means of pgx: scan plans that are kept for the whole result, and targets that
// are the same for each row.
func scanOrders(ctx context.Context, db postgres.Querier, most int, statement string, args ...any) ([]order.Order, error) {
	rows, err := db.Query(ctx, statement, args...)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	found, items := make([]order.Order, 0, most), make([]order.Item, 0, 2*most)
	first := 0
	var o order.Order
	var item order.Item
	var wanted, last bool
	var status int16
	var states order.Set
	_, err = pgx.ForEachRow(rows, append(append([]any{&wanted, &last}, orderTargets(&o, &status)...), itemTargets(&item)...), func() error {
		o.Status = statusCodes[status]
		if len(found) == 0 || found[len(found)-1].ID != o.ID {
			first, states = len(items), 0
			found = append(found, o)
		}
		items, states = append(items, item), states.With(item.State)
		found[len(found)-1].Items = items[first:len(items):len(items)]
		found[len(found)-1].SellerStatus, _ = order.RollUp(states)
		return nil
	})
	return found, postgres.Classify(err)
}

func orderTargets(o *order.Order, status *int16) []any {
	targets := []any{&o.ID, &o.No, &o.Currency, status, &o.PaidAt, &o.UpdatedAt}
	for _, text := range order.ContactTexts() {
		targets = append(targets, (*zeronull.Text)(text.Of(&o.Contact)))
	}
	return append(targets, &o.Charges.PointUsed, &o.Charges.ShippingFeeBase, &o.Charges.ShippingFeePaid)
}

func itemTargets(i *order.Item) []any {
	return []any{
		(*zeronull.UUID)(&i.ID), &i.Seq, &i.ProductName, &i.OptionName, &i.Quantity,
		&i.Prices.List, &i.Prices.Unit, &i.Prices.Line, &i.Prices.Discount, &i.Prices.Paid,
		(*string)(&i.State), &i.IsExchange, &i.HasActiveClaim,
		(*zeronull.Timestamptz)(&i.ShippedAt), (*zeronull.Timestamptz)(&i.DeliveredAt), (*zeronull.Timestamptz)(&i.ConfirmedAt),
		(*zeronull.Timestamptz)(&i.AutoConfirmAt), (*zeronull.UUID)(&i.OriginID), (*zeronull.Text)(&i.SplitFromClaimNo),
		(*zeronull.Text)(&i.ExchangeClaimNo),
		(*zeronull.Text)(&i.CarrierName), (*zeronull.Text)(&i.TrackingNo), &i.LogisticsCompany,
	}
}
