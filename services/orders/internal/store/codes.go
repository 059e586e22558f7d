package store

import (
	"slices"
	"strconv"

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
