package order_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
)

// Each state shows exactly the fields that the API defines for it.
func TestFields_ofEachState(t *testing.T) {
	t.Parallel()
	for _, state := range order.States() {
		wanted := order.Fields{}
		switch state {
		case order.Paid, order.Preparing:
			wanted = order.Fields{ShipBy: true}
		case order.Shipping:
			wanted = order.Fields{Parcel: true, LogisticsCompany: true, ShippedAt: true}
		case order.Delivered:
			wanted = order.Fields{Parcel: true, LogisticsCompany: true, ShippedAt: true, DeliveredAt: true}
		case order.Confirmed:
			wanted = order.Fields{Parcel: true, LogisticsCompany: true, ShippedAt: true, DeliveredAt: true, ConfirmedAt: true}
		case order.Returned, order.Exchanged:
			wanted = order.Fields{Parcel: true, ShippedAt: true, DeliveredAt: true}
		default:
		}
		require.Equal(t, wanted, state.Shows(), state)
	}
}

// The amounts of an order are sums over the visible items of this seller.
func TestAmounts_sumVisibleItems(t *testing.T) {
	t.Parallel()
	prices := func(line, discount int64) order.Prices {
		return order.Prices{Line: line, Discount: discount, Paid: line - discount}
	}
	o := order.Order{
		Charges: order.Charges{PointUsed: 7, ShippingFeeBase: 3000, ShippingFeePaid: 2500},
		Items: []order.Item{
			{State: order.Paid, Prices: prices(1000, 100)},
			{State: order.Canceled, Prices: prices(20_000, 0)},
			{State: order.Exchanged, Prices: prices(300_000, 300_000)},
			{State: order.Pending, Prices: prices(4_000_000, 4)},
		},
	}
	require.Equal(t, order.Amounts{
		Items: 321_000, Discount: 300_100, PointUsed: 7, Paid: 20_900, ShippingFeeBase: 3000, ShippingFeePaid: 2500,
	}, o.Amounts())
	require.Equal(t, order.Amounts{}, (&order.Order{}).Amounts())
}

// The state and the times of a line are read from its history.
func TestLine_lifeReadFromHistory(t *testing.T) {
	t.Parallel()
	paid := time.Date(2026, 1, 1, 9, 0, 0, 0, time.UTC)
	hour := func(n int) time.Time { return paid.Add(time.Duration(n) * time.Hour) }
	history := func(states ...order.State) []order.StateChange {
		changes := make([]order.StateChange, 0, len(states))
		for i, state := range states {
			changes = append(changes, order.StateChange{To: state, At: hour(i + 1)})
		}
		return changes
	}
	for name, c := range map[string]struct {
		history []order.StateChange
		wanted  order.Life
	}{
		"new":       {nil, order.Life{State: order.Paid}},
		"preparing": {history("preparing"), order.Life{State: order.Preparing}},
		"shipping":  {history("shipping"), order.Life{State: order.Shipping, ShippedAt: hour(1)}},
		"confirmed": {
			history("preparing", "shipping", "delivered", "confirmed"),
			order.Life{State: order.Confirmed, ShippedAt: hour(2), DeliveredAt: hour(3), ConfirmedAt: hour(4)},
		},
		"returned": {
			history("shipping", "delivered", "returned"),
			order.Life{State: order.Returned, ShippedAt: hour(1), DeliveredAt: hour(2)},
		},
		"corrected to before the shipment": {history("shipping", "preparing"), order.Life{State: order.Preparing}},
		"corrected to shipping: keeps shipped_at": {
			history("shipping", "delivered", "shipping"), order.Life{State: order.Shipping, ShippedAt: hour(1)},
		},
		"shipped twice: the second time counts": {
			history("shipping", "paid", "shipping"), order.Life{State: order.Shipping, ShippedAt: hour(3)},
		},
	} {
		line := order.Line{History: c.history}
		c.wanted.Changes = append([]order.StateChange{{To: order.Paid, At: paid}}, c.history...)
		require.Equal(t, c.wanted, line.Life(paid), name)
	}
	pending := order.Line{}
	require.Equal(t, order.Life{State: order.Pending}, pending.Life(time.Time{}))
}
