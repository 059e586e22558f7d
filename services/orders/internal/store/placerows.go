package store

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

type placedRows struct {
	terms                                             order.Terms
	items, members, orders, shipments, lines, changes [][]any
	parts                                             []placedPart
}

// placedPart is a seller's part of an order whose row in seller_orders is not written yet.
type placedPart struct {
	seller  uuid.UUID
	orderID uuid.UUID
	paidAt  time.Time
	// order has the states of all items of the order, own those of this seller's items.
	order, own order.Set
	// shipBy is by when the first of the seller's items should be shipped; zero for no time.
	shipBy time.Time
}

// insertRows inserts the rows of the new orders. The rows with updated_at come last.
func (b *batch) insertRows(ctx context.Context) error {
	rows := &placedRows{terms: b.terms}
	for i := range b.inserted() {
		rows.add(b.ids[b.placements[i].No], &b.placements[i], b.items[i])
	}
	for _, fill := range []struct {
		table table
		rows  [][]any
	}{
		{itemTable, rows.items},
		{memberTable, rows.members},
		{orderTable, rows.orders},
		{shipmentTable, rows.shipments},
		{lineTable, rows.lines},
		{changeTable, rows.changes},
	} {
		if err := b.insert(ctx, fill.table, fill.rows); err != nil {
			return err
		}
	}
	times, err := postgres.TickSellers(ctx, b.tx, rows.paidSellers())
	if err != nil {
		return err
	}
	return b.insert(ctx, sellerOrderTable, rows.sellerOrders(times))
}

func (b *batch) insert(ctx context.Context, into table, rows [][]any) error {
	if len(rows) == 0 {
		return nil
	}
	if _, err := b.tx.Exec(ctx, into.statement, into.args(rows)...); err != nil {
		return fmt.Errorf("insert into %s: %w", into.name, err)
	}
	return nil
}

func (r *placedRows) add(orderID uuid.UUID, p *order.Placement, items []uuid.UUID) {
	var all order.Set
	first, seq := len(r.parts), 0
	if p.Contact != (order.Contact{}) {
		r.members = append(r.members, []any{p.MemberID, p.No})
	}
	for _, item := range items {
		r.items = append(r.items, []any{wireUUID(item)})
	}
	for i := range p.Parts {
		part := &p.Parts[i]
		n := len(part.Lines)
		r.orders = append(r.orders, orderRow(orderID, part, p))
		own, shipBy := r.addPart(orderID, part, p.PaidAt, seq, items[seq:seq+n])
		seq += n
		all |= own
		r.parts = append(r.parts, placedPart{seller: part.SellerID, orderID: orderID, paidAt: p.PaidAt, own: own, shipBy: shipBy})
	}
	for i := range r.parts[first:] {
		r.parts[first+i].order = all
	}
}

// orderRow returns one seller's copy of the order data that all its sellers share, and the amounts of the seller's part.
func orderRow(orderID uuid.UUID, part *order.Part, p *order.Placement) []any {
	row := make([]any, 0, len(orderTable.columns))
	row = append(row, wireUUID(part.SellerID), wireUUID(orderID), p.No, uuidTexts(p.Sellers()), p.MemberID, p.Currency,
		string(p.Payment()), stamp(p.PaidAt), stamp(p.PlacedAt),
		part.Charges.PointUsed, part.Charges.ShippingFeeBase, part.Charges.ShippingFeePaid)
	for _, text := range order.ContactTexts() {
		given := *text.Of(&p.Contact)
		row = append(row, pgtype.Text{String: given, Valid: given != ""})
	}
	return row
}

// addPart adds the rows of one seller's lines, numbered from seq+1, and returns their states, and by when the first of them
// should be shipped.
func (r *placedRows) addPart(orderID uuid.UUID, part *order.Part, paidAt time.Time, seq int,
	items []uuid.UUID,
) (states order.Set, shipBy time.Time) {
	parcels := map[parcel][]any{}
	changes := changeSet{}
	points := part.Points()
	for k := range part.Lines {
		line := &part.Lines[k]
		life := line.Life(paidAt)
		states, shipBy = states.With(life.State), life.State.FirstShipBy(shipBy, line.ShipBy)
		for _, change := range life.Changes {
			changes.add(change, items[k])
		}
		prices := line.Prices()
		r.lines = append(r.lines, []any{
			wireUUID(part.SellerID), wireUUID(orderID), seq + k + 1, wireUUID(items[k]), line.ProductID, line.ProductName, line.OptionName,
			line.Quantity, prices.List, prices.Unit, prices.Line, prices.Discount, prices.Paid, string(life.State),
			r.parcelOf(orderID, part.SellerID, line.Shipment, items[k], life, parcels), stamp(life.ShippedAt), stamp(life.DeliveredAt),
			stamp(life.ConfirmedAt),
			stamp(r.terms.FirstDeadline(life)), points[k], stamp(line.ShipBy),
		})
	}
	r.changes = append(r.changes, changes.rows(part.SellerID, orderID)...)
	return states, shipBy
}

// parcel identifies a parcel: lines of a seller's part with equal values travel together.
type parcel struct {
	carrierName, trackingNo, company string
	hasCompany                       bool
}

// The places of columns in a row of shipmentTable.
const (
	parcelIDAt    = 2
	parcelItemsAt = 6
)

// parcelOf returns the id of the line's parcel, and adds the parcel with its first line. It returns nil for a line without one.
func (r *placedRows) parcelOf(orderID, seller uuid.UUID, shipment *order.SentParcel, item uuid.UUID, life order.Life,
	parcels map[parcel][]any,
) any {
	if shipment == nil {
		return nil
	}
	key := parcel{carrierName: shipment.CarrierName, trackingNo: shipment.TrackingNo}
	if shipment.LogisticsCompany != nil {
		key.company, key.hasCompany = *shipment.LogisticsCompany, true
	}
	row, known := parcels[key]
	if !known {
		row = []any{
			wireUUID(seller), wireUUID(orderID), wireUUID(newID()), shipment.CarrierName, shipment.TrackingNo, shipment.LogisticsCompany,
			[]string{},
			stamp(life.ShippedAt),
		}
		parcels[key] = row
		r.shipments = append(r.shipments, row)
	}
	row[parcelItemsAt] = append(row[parcelItemsAt].([]string), item.String())
	return row[parcelIDAt]
}

// paidSellers returns the sellers of paid orders, whose clocks have to tick.
func (r *placedRows) paidSellers() []uuid.UUID {
	var sellers []uuid.UUID
	for _, part := range r.parts {
		if !part.paidAt.IsZero() {
			sellers = append(sellers, part.seller)
		}
	}
	return sellers
}

// sellerOrders returns the rows of seller_orders. Those of unpaid orders have no time and no status.
func (r *placedRows) sellerOrders(times map[uuid.UUID]time.Time) [][]any {
	rows := make([][]any, 0, len(r.parts))
	for _, part := range r.parts {
		row := []any{wireUUID(part.seller), wireUUID(part.orderID), nil, nil, nil, int16(0), nil}
		if status, visible := order.RollUp(part.order); visible {
			row[2], row[3], row[4], row[5] = part.paidAt, times[part.seller], statusCode(status), stateBits(part.own)
			row[6] = stamp(part.shipBy)
		}
		rows = append(rows, row)
	}
	return rows
}

// wireUUID returns a UUID in the type that pgx encodes directly in binary format.
func wireUUID(id uuid.UUID) pgtype.UUID { return pgtype.UUID{Bytes: id, Valid: true} }
