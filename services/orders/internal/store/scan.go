package store

import (
	"context"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// selectPage runs a statement that ends in ItemsOfPage and returns the page of at most limit orders. The seller is that of db.
func selectPage(ctx context.Context, db postgres.Querier, limit int, statement string, args ...any) (paging.Page[order.Order], error) {
	rows, err := db.Query(ctx, statement, args...)
	if err != nil {
		return paging.Page[order.Order]{}, postgres.Classify(err)
	}
	return readPage(rows, limit)
}

// readPage combines rows, one per item, into orders. The rows of an order are consecutive.
func readPage(rows pgx.Rows, limit int) (paging.Page[order.Order], error) {
	defer rows.Close()
	if err := requireBinary(rows.FieldDescriptions()); err != nil {
		return paging.Page[order.Order]{}, err
	}
	found := make([]order.Order, 0, limit+1)
	// The items of a page share one backing array; each order has a slice of it.
	items := make([]order.Item, 0, 2*limit)
	first, states := 0, order.Set(0)
	wanted, last := true, false // of the order that was read last: a walk ends with one that may be unwanted
	for rows.Next() {
		r := reader{values: rows.RawValues()}
		wanted, last = r.bool(), r.bool()
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
			return paging.Page[order.Order]{}, fmt.Errorf("read order %s: %w", id, r.err)
		}
	}
	if err := rows.Err(); err != nil {
		return paging.Page[order.Order]{}, postgres.Classify(err)
	}
	return cutPage(found, limit, wanted, last), nil
}

// cutPage returns the page of the orders that were read; wanted and last are of the last of them.
func cutPage(found []order.Order, limit int, wanted, last bool) paging.Page[order.Order] {
	position := func(o *order.Order) paging.Position { return paging.Position{UpdatedAt: o.UpdatedAt, ID: o.ID} }
	var end *paging.Position
	if last {
		at := position(&found[len(found)-1])
		end = &at
	}
	if !wanted {
		found = found[:len(found)-1]
	}
	page := paging.Cut(found, limit, position)
	if page.Next == nil {
		page.Next = end
	}
	return page
}

// orderColumns is the number of columns for the order in a row; those of the item follow.
var orderColumns = 11 + len(order.ContactTexts())

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
