package store

import (
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/claims/internal/claim"
)

// pageRow is what the rows of ListClaims, one for each item, are scanned into.
type pageRow struct {
	claim.Listed
	seq            int
	item           claim.Item
	settled        *[16]byte
	pickup, reship parcel
	result         *string
	frozenAt       *time.Time
}

// parcel holds the columns of an action with a shipment, nil if it was not performed.
type parcel struct{ carrier, trackingNo *string }

// targets returns the scan targets in the order of the columns. They are of the types that pgx scans without a conversion; a
// uuid.UUID would be parsed from text.
func (r *pageRow) targets() []any {
	m, i := &r.Money, &r.item
	return []any{
		(*[16]byte)(&r.ID), &r.No, &r.OrderNo, (*string)(&r.Type), (*string)(&r.Status), (*string)(&r.Reason),
		&m.Goods, &m.Fee, &m.Difference, &m.AlreadyRefunded, &m.Refund, &m.Shipping, &m.RefundPoints,
		&r.RequestedAt, &r.CompletedAt, &r.UpdatedAt, &r.PaymentDueAt, &r.InspectionDueAt, &r.frozenAt,
		&r.pickup.carrier, &r.pickup.trackingNo, &r.result, &r.reship.carrier, &r.reship.trackingNo,
		&r.seq, (*[16]byte)(&i.ItemID), &r.settled, &i.ItemCode, &i.Quantity, &i.ProductName, &i.OptionName, &i.ExchangeOptionName,
	}
}

func (r *pageRow) performed() claim.Evidences {
	var performed claim.Evidences
	if values, ok := r.pickup.values(); ok {
		performed = append(performed, claim.Evidence{Action: claim.Pickup, Values: values})
	}
	if r.result != nil {
		performed = append(performed, claim.Evidence{Action: claim.Inspect, Values: claim.Values{Result: claim.Result(*r.result)}})
	}
	if values, ok := r.reship.values(); ok {
		performed = append(performed, claim.Evidence{Action: claim.Reship, Values: values})
	}
	return performed
}

// freeze returns a freeze of which a page shows that there is one; nil if there is none.
func (r *pageRow) freeze() *claim.Freeze {
	if r.frozenAt == nil {
		return nil
	}
	return &claim.Freeze{At: *r.frozenAt}
}

func (p parcel) values() (claim.Values, bool) {
	if p.carrier == nil {
		return claim.Values{}, false
	}
	return claim.Values{Carrier: carrier.Name(*p.carrier), TrackingNo: carrier.TrackingNo(*p.trackingNo)}, true
}

// readPage combines the rows of ListClaims into claims. The rows of a claim are consecutive, in any order. most is the maximum
// number of claims.
func readPage(rows pgx.Rows, most int) ([]claim.Listed, error) {
	page := make([]claim.Listed, 0, most)
	// The items of a page share one backing array; each claim has a slice of it.
	items := make([]claim.Item, 0, 2*most)
	first := 0
	var row pageRow
	_, err := pgx.ForEachRow(rows, row.targets(), func() error {
		if len(page) == 0 || page[len(page)-1].ID != row.ID {
			first = len(items)
			row.Performed, row.Freeze = row.performed(), row.freeze()
			page = append(page, row.Listed)
		}
		at := first + row.seq
		for len(items) <= at {
			items = append(items, claim.Item{})
		}
		items[at] = row.item
		items[at].SettledItemID = (*uuid.UUID)(row.settled)
		page[len(page)-1].Items = items[first:len(items):len(items)]
		return nil
	})
	return page, postgres.Wrap("list claims", err)
}
