package market

import (
	"testing"

	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
)

// arrows are the state transitions that an item may have gone through before it reached the
// service.
var arrows = map[string][]string{
	"paid":      {"preparing", "shipping", "canceled"},
	"preparing": {"shipping", "canceled"},
	"shipping":  {"delivered"},
	"delivered": {"confirmed", "returned", "exchanged"},
}

// The orders service refuses a whole batch for one impossible line.
func TestLines_alongTheArrowsInTime(t *testing.T) {
	t.Parallel()
	states := map[string]int{}
	for batch := range setup(t, 20000, 12).Batches(1000) {
		for _, placed := range batch {
			for _, line := range linesOf(placed.Order) {
				states[requirePlausibleLine(t, placed.Order, line)]++
			}
		}
	}
	require.Greater(t, states[""], 300, "unpaid lines")
	for _, state := range []string{"paid", "preparing", "shipping", "delivered", "confirmed", "canceled", "returned", "exchanged"} {
		require.Greater(t, states[state], 100, state)
	}
}

// requirePlausibleLine checks a line and returns its state, or "" when it is not paid.
func requirePlausibleLine(t *testing.T, order *ordersv1.Order, line *ordersv1.Line) string {
	t.Helper()
	require.Positive(t, line.GetQuantity())
	require.Positive(t, line.GetUnitPrice())
	require.GreaterOrEqual(t, line.GetListPrice(), line.GetUnitPrice())
	require.LessOrEqual(t, line.GetDiscountAmount(), line.GetUnitPrice()*line.GetQuantity())
	require.NotEmpty(t, line.GetProductName())
	require.NotEmpty(t, line.GetOptionName())
	if order.GetPaidAt() == nil {
		require.Empty(t, line.GetHistory())
		require.Nil(t, line.GetShipment())
		return ""
	}
	state, at, sent := "paid", order.GetPaidAt().AsTime(), false
	require.False(t, at.After(base))
	for _, change := range line.GetHistory() {
		require.Contains(t, arrows[state], change.GetItemStatus())
		require.True(t, change.GetChangedAt().AsTime().After(at))
		require.False(t, change.GetChangedAt().AsTime().After(base))
		state, at = change.GetItemStatus(), change.GetChangedAt().AsTime()
		sent = sent || state == shipped
	}
	require.Equal(t, sent, line.GetShipment() != nil)
	return state
}

// The shares are what readers of a filled marketplace see: without orders of several sellers,
// or unpaid ones, a test of these would pass without checking anything.
func TestOrders_mixedAndUnpaidAsPlanned(t *testing.T) {
	t.Parallel()
	const orders = 20000
	mixed, unpaid := 0, map[ordersv1.PaymentOutcome]int{}
	for batch := range setup(t, orders, 12).Batches(1000) {
		for _, placed := range batch {
			if len(placed.Order.GetSellers()) > 1 {
				mixed++
			}
			if placed.Order.GetPaidAt() == nil {
				unpaid[placed.Payment]++
			}
		}
	}
	require.InDelta(t, 0.10, float64(mixed)/orders, 0.02)
	pending := unpaid[ordersv1.PaymentOutcome_PAYMENT_OUTCOME_UNSPECIFIED]
	failed := unpaid[ordersv1.PaymentOutcome_PAYMENT_OUTCOME_FAILED]
	expired := unpaid[ordersv1.PaymentOutcome_PAYMENT_OUTCOME_EXPIRED]
	require.InDelta(t, 0.04, float64(pending+failed+expired)/orders, 0.01)
	for name, count := range map[string]int{"pending": pending, "failed": failed, "expired": expired} {
		require.Positive(t, count, name)
	}
}
