package store

import (
	"math"
	"slices"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5/pgtype"

	"sellerapi.dev/services/orders/internal/order"
)

// statusCodes maps order_status of seller_orders to statuses. Codes are stored in rows, so a new status gets the next one.
var statusCodes = [...]order.Status{
	1: order.StatusPaid, 2: order.StatusPreparing, 3: order.StatusShipping, 4: order.StatusDelivered, 5: order.StatusConfirmed,
	6: order.StatusPartiallyClaimed, 7: order.StatusCanceled,
}

// stateOrder lists the states in the order of their bits in line_states of seller_orders. The bits are stored in rows as well.
var stateOrder = [...]order.State{
	order.Paid, order.Preparing, order.Shipping, order.Delivered, order.Confirmed, order.Canceled, order.Returned, order.Exchanged,
}

const anyState int16 = 1<<len(stateOrder) - 1

// everShipped is the bit of kind for an order of which any item was ever shipped.
const everShipped int16 = 1 << len(stateOrder)

const (
	// endedJustNow is the maximum time between the end of the items and the last change of an order with bit 512 of kind.
	endedJustNow = time.Minute
	// shortCourse is the maximum time between the payment and any later change of state of an order with bit 1024 of kind.
	shortCourse = 16 * 24 * time.Hour
)

// statusCode returns the code of a status. It panics for an unknown one.
func statusCode(status order.Status) int16 {
	code := slices.Index(statusCodes[:], status)
	if code <= 0 {
		panic("no code for status " + strconv.Quote(string(status)))
	}
	return int16(code) //nolint:gosec // the table is short
}

func stateBits(states order.Set) int16 {
	var bits int16
	for bit, state := range stateOrder {
		if states.Has(state) {
			bits |= 1 << bit
		}
	}
	return bits
}

// firstSecond is the epoch of the seconds in seller_orders.
var firstSecond = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC).Unix()

// secondOf returns the second of a time, clamped to the range of int32.
func secondOf(at time.Time) int32 {
	return int32(min(max(at.Unix()-firstSecond, math.MinInt32), math.MaxInt32))
}

// second is secondOf for a column; null for a zero time.
func second(at time.Time) pgtype.Int4 {
	if at.IsZero() {
		return pgtype.Int4{}
	}
	return pgtype.Int4{Int32: secondOf(at), Valid: true}
}
