package store

import (
	"context"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype/zeronull"

	"sellerapi.dev/pkg/paging"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

// selectPage runs a statement that ends in ItemsOfPage and returns the page of at most limit orders. The seller is that of db.
func selectPage(ctx context.Context, db postgres.Querier, limit int, statement string,
	args ...any,
) (paging.Page[order.Order], error) {
	rows, err := db.Query(ctx, statement, args...)
	if err != nil {
		return paging.Page[order.Order]{}, postgres.Classify(err)
	}
	return readPage(rows, limit)
}

// readPage combines rows, one per item, into orders. The rows of an order are consecutive.
func readPage(rows pgx.Rows, limit int) (paging.Page[order.Order], error) {
	found := make([]order.Order, 0, limit+1)
	// The items of a page share one backing array; each order has a slice of it.
	items := make([]order.Item, 0, 2*limit)
	first, states := 0, order.Set(0)
	wanted, last := true, false // of the order that was read last: a walk ends with one that may be unwanted
	var next order.Order
	var status int16
	var item order.Item
	targets := slices.Concat([]any{&wanted, &last}, orderTargets(&next, &status), itemTargets(&item))
	_, err := pgx.ForEachRow(rows, targets, func() error {
		if len(found) == 0 || found[len(found)-1].ID != next.ID {
			first, states = len(items), 0
			next.Status = statusCodes[status]
			found = append(found, next)
		}
		items, states = append(items, item), states.With(item.State)
		o := &found[len(found)-1]
		o.Items = items[first:len(items):len(items)]
		o.SellerStatus, _ = order.RollUp(states)
		return nil
	})
	if err != nil {
		return paging.Page[order.Order]{}, postgres.Classify(err)
	}
	return paging.CutWalk(found, limit, wanted, last, positionOf), nil
}

func positionOf(o *order.Order) paging.Position {
	return paging.Position{UpdatedAt: o.UpdatedAt, ID: o.ID}
}

// orderTargets returns what the columns of an order are scanned into, in the order of ItemsOfPage. An id is scanned as its bytes:
// the type's own Scan would have it written as text and parsed, which took 6 % of the service's CPU time for a page.
func orderTargets(o *order.Order, status *int16) []any {
	targets := []any{(*[16]byte)(&o.ID), &o.No, &o.Currency, status, &o.PaidAt, &o.UpdatedAt}
	for _, text := range order.ContactTexts() {
		targets = append(targets, (*zeronull.Text)(text.Of(&o.Contact)))
	}
	return append(targets, &o.Charges.PointUsed, &o.Charges.ShippingFeeBase, &o.Charges.ShippingFeePaid)
}

// itemTargets returns what the columns of an item are scanned into, in the order of ItemsOfPage and ReadParts. Null becomes the
// zero value.
func itemTargets(i *order.Item) []any {
	return []any{
		(*[16]byte)(&i.ID), &i.Seq, &i.ProductName, &i.OptionName, &i.Quantity,
		&i.Prices.List, &i.Prices.Unit, &i.Prices.Line, &i.Prices.Discount, &i.Prices.Paid,
		(*string)(&i.State), &i.IsExchange, &i.HasActiveClaim,
		(*zeronull.Timestamptz)(&i.ShippedAt), (*zeronull.Timestamptz)(&i.DeliveredAt), (*zeronull.Timestamptz)(&i.ConfirmedAt),
		(*zeronull.Timestamptz)(&i.AutoConfirmAt), (*zeronull.UUID)(&i.OriginID), (*zeronull.Text)(&i.SplitFromClaimNo),
		(*zeronull.Text)(&i.ExchangeClaimNo), (*zeronull.Timestamptz)(&i.ShipBy),
		(*zeronull.Text)(&i.CarrierName), (*zeronull.Text)(&i.TrackingNo), &i.LogisticsCompany,
	}
}
