package market

import (
	"regexp"
	"testing"
	"time"

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

// Parcels name the five carriers exactly, with tracking numbers in each carrier's format.
func TestParcels_nameTheFiveCarriers(t *testing.T) {
	t.Parallel()
	looks := map[string]string{
		"CJ대한통운": `^\d{12}$`, "우체국택배": `^\d{13}$`, "한진택배": `^\d{12}$`, "롯데택배": `^\d{12}$`, "로젠택배": `^\d{11}$`,
	}
	seen := map[string]int{}
	for batch := range setup(t, 5000, 12).Batches(1000) {
		for _, placed := range batch {
			for _, line := range linesOf(placed.Order) {
				if line.GetShipment() == nil {
					continue
				}
				name := line.GetShipment().GetCarrierName()
				require.Contains(t, looks, name)
				require.Regexp(t, looks[name], line.GetShipment().GetTrackingNo())
				seen[name]++
			}
		}
	}
	require.Len(t, seen, len(looks))
}

func TestCustomersLookReal(t *testing.T) {
	t.Parallel()
	phoneShape, zipShape := regexp.MustCompile(`^010-0\d{3}-\d{4}$`), regexp.MustCompile(`^\d{5}$`)
	members := map[string]int{}
	for batch := range setup(t, 4000, 6).Batches(1000) {
		for _, placed := range batch {
			contact := placed.Order.GetContact()
			require.Regexp(t, phoneShape, contact.GetOrdererPhone())
			require.Regexp(t, phoneShape, contact.GetRecipientPhone())
			require.Regexp(t, zipShape, contact.GetZipcode())
			require.GreaterOrEqual(t, len([]rune(contact.GetOrdererName())), 2)
			require.Contains(t, contact.GetAddress1(), " ")
			members[placed.Order.GetMemberId()]++
		}
	}
	require.Less(t, len(members), 1100, "members order more than once")
	require.Greater(t, len(members), 500)
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

// Orders are spread over half a year, and one paid order in five is from the last day.
func TestOrders_spreadOverAges(t *testing.T) {
	t.Parallel()
	const orders = 10000
	m, fresh, paid := setup(t, orders, 3), 0, 0
	for number := range orders {
		order := m.Placement(number).Order
		if order.GetPaidAt() == nil {
			continue
		}
		age := base.Sub(order.GetPaidAt().AsTime())
		require.GreaterOrEqual(t, age, time.Duration(0))
		require.Less(t, age, 182*24*time.Hour)
		paid++
		if age < 24*time.Hour {
			fresh++
		}
	}
	require.InDelta(t, 0.2, float64(fresh)/float64(paid), 0.05)
}
