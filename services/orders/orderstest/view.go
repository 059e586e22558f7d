package orderstest

import (
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
)

// Line is a line of an order.
type Line struct {
	ID uuid.UUID
	// Code is the item code.
	Code, State, OptionName string
	Quantity, Paid          int64
	// Points is the part of Paid that was paid with points.
	Points int64
	// ClaimNo is the claim that holds the line.
	ClaimNo    string
	IsExchange bool
	// Open says that the seller can ship this exchange line.
	Open       bool
	TrackingNo string
}

// Lines returns the lines of an order, in the order of their codes.
func (o *Orders) Lines(orderNo string) []Line {
	rows, _ := o.db.Pool.Query(o.tb.Context(), `
		select l.item_id, l.seq, l.item_status, l.option_name, l.quantity, l.line_paid_amount, l.points_amount, coalesce(l.claim_no,
		''),
			l.is_exchange, coalesce(l.exchange_gate = 'open', false), coalesce(s.tracking_no, '')
		from lines l join orders o using (seller_id, order_id) left join shipments s using (seller_id, order_id, shipment_id)
		where o.order_no = $1 order by l.seq`, orderNo)
	found, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (l Line, err error) {
		var seq int
		err = row.Scan(&l.ID, &seq, &l.State, &l.OptionName, &l.Quantity, &l.Paid, &l.Points, &l.ClaimNo, &l.IsExchange,
			&l.Open, &l.TrackingNo)
		l.Code = order.ItemCode(orderNo, seq)
		return l, err
	})
	require.NoError(o.tb, err)
	return found
}

// Hold is what a claim holds or held.
type Hold struct {
	// State is active, released, settled or converted; empty if the claim never held a line.
	State string
	// Sealed: operators can no longer correct the lines. Frozen: replacement lines can only be shipped by the claim.
	Sealed, Frozen bool
	// Settled are the lines that carry the claimed quantities since the claim completed.
	Settled []uuid.UUID
}

// Hold returns what a claim holds or held.
func (o *Orders) Hold(claimNo string) Hold {
	rows, _ := o.db.Pool.Query(o.tb.Context(), `
		select hold_state, sealed, frozen, array(
			select settled_item_id from claim_hold_items i
			where i.claim_no = h.claim_no and settled_item_id is not null order by position)
		from claim_holds h where claim_no = $1`, claimNo)
	found, err := pgx.CollectRows(rows, pgx.RowToStructByPos[Hold])
	require.NoError(o.tb, err)
	return append(found, Hold{})[0]
}

// Touches returns how often a claim touched its order without changing a line.
func (o *Orders) Touches(claimNo string) (count int) {
	o.scan("select count(*) from claim_touches where claim_no = $1", []any{claimNo}, &count)
	return count
}

// UpdatedAt returns when an order of one seller changed last.
func (o *Orders) UpdatedAt(orderNo string) (at time.Time) {
	o.scan("select updated_at from seller_orders join orders using (seller_id, order_id) where order_no = $1", []any{orderNo}, &at)
	return at
}

// Trips returns the number of round trips to the database of the service so far.
func (o *Orders) Trips() int { return o.recorder.Trips() }

func (o *Orders) scan(query string, args []any, columns ...any) {
	require.NoError(o.tb, o.db.Pool.QueryRow(o.tb.Context(), query, args...).Scan(columns...), query)
}

// exec changes the database as no call would.
func (o *Orders) exec(statement string, args ...any) {
	_, err := o.db.Pool.Exec(o.tb.Context(), statement, args...)
	require.NoError(o.tb, err, statement)
}
