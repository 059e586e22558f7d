package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// orders runs a statement that ends in ItemsOfPage and combines its rows, one per item, into orders. The rows of an order are
// consecutive. All belong to the seller. most is the maximum number of orders.
func (s *Store) orders(ctx context.Context, seller uuid.UUID, most int, statement string, args ...any) ([]order.Order, error) {
	return selectOrders(ctx, postgres.OfSeller(s.pool, seller), most, statement, args...)
}

// selectOrders is orders on a connection that is already restricted to the seller.
func selectOrders(ctx context.Context, db postgres.Querier, most int, statement string, args ...any) ([]order.Order, error) {
	rows, err := db.Query(ctx, statement, args...)
	if err != nil {
		return nil, postgres.Classify(err)
	}
	return readOrders(rows, most)
}

func readOrders(rows pgx.Rows, most int) ([]order.Order, error) {
	defer rows.Close()
	if err := requireBinary(rows.FieldDescriptions()); err != nil {
		return nil, err
	}
	found := make([]order.Order, 0, most)
	// The items of a page share one backing array; each order has a slice of it.
	items := make([]order.Item, 0, 2*most)
	first := 0
	var states order.Set
	for rows.Next() {
		r := reader{values: rows.RawValues()}
		id := r.uuid()
		if len(found) == 0 || found[len(found)-1].ID != id {
			first, states = len(items), 0
			found = append(found, readOrder(&r, id))
		}
		r.column = orderColumns
		item := readItem(&r)
		items, states = append(items, item), states.With(item.State)
		o := &found[len(found)-1]
		o.Items = items[first:len(items):len(items)]
		o.SellerStatus, _ = order.RollUp(states)
		if r.err != nil {
			return nil, fmt.Errorf("read order %s: %w", id, r.err)
		}
	}
	return found, postgres.Classify(rows.Err())
}

// orderColumns is the number of columns for the order in a row; those of the item follow.
var orderColumns = 9 + len(order.ContactTexts())

// readOrder reads the columns of an order after its id, in the order of ItemsOfPage.
func readOrder(r *reader, id uuid.UUID) order.Order {
	o := order.Order{ID: id}
	o.No = r.text()
	o.Currency = r.word()
	o.Status = r.status()
	o.PaidAt = r.time()
	o.UpdatedAt = r.time()
	for _, text := range order.ContactTexts() {
		*text.Of(&o.Contact) = r.text()
	}
	o.Charges = order.Charges{PointUsed: r.int64(), ShippingFeeBase: r.int64(), ShippingFeePaid: r.int64()}
	return o
}

// readItem reads the columns of an item, in the order of ItemsOfPage and ReadParts.
func readItem(r *reader) order.Item {
	return order.Item{
		ID:               r.uuid(),
		Seq:              r.int32(),
		ProductName:      r.text(),
		OptionName:       r.text(),
		Quantity:         r.int64(),
		Prices:           order.Prices{List: r.int64(), Unit: r.int64(), Line: r.int64(), Discount: r.int64(), Paid: r.int64()},
		State:            order.State(r.word()),
		IsExchange:       r.bool(),
		HasActiveClaim:   r.bool(),
		ShippedAt:        r.time(),
		DeliveredAt:      r.time(),
		ConfirmedAt:      r.time(),
		AutoConfirmAt:    r.time(),
		OriginID:         r.uuid(),
		SplitFromClaimNo: r.text(),
		ExchangeClaimNo:  r.text(),
		CarrierName:      r.text(),
		TrackingNo:       r.text(),
		LogisticsCompany: r.optionalText(),
	}
}
