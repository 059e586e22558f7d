package order_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"sellerapi.dev/services/orders/internal/order"
)

// The status of an order is rolled up from the states of its items.
func TestRollUp_fromItems(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		items  []order.State
		wanted order.Status
	}{
		{[]order.State{"paid"}, "paid"},
		{[]order.State{"preparing"}, "preparing"},
		{[]order.State{"shipping"}, "shipping"},
		{[]order.State{"delivered"}, "delivered"},
		{[]order.State{"confirmed"}, "confirmed"},
		{[]order.State{"canceled"}, "canceled"},
		{[]order.State{"returned"}, "canceled"},
		{[]order.State{"exchanged"}, "canceled"},
		{[]order.State{"canceled", "returned", "exchanged"}, "canceled"},
		{[]order.State{"confirmed", "delivered", "shipping", "preparing", "paid"}, "paid"},
		{[]order.State{"confirmed", "shipping"}, "shipping"},
		{[]order.State{"paid", "canceled"}, "partially_claimed"},
		{[]order.State{"confirmed", "returned"}, "partially_claimed"},
		{[]order.State{"exchanged", "shipping"}, "shipping"},
		{[]order.State{"exchanged", "returned", "confirmed"}, "partially_claimed"},
		{[]order.State{"pending", "delivered"}, "delivered"},
	} {
		status, visible := order.RollUp(order.SetOf(c.items...))
		require.True(t, visible, c.items)
		require.Equal(t, c.wanted, status, c.items)
	}
}

// An order without visible items has no status.
func TestRollUp_noVisibleItems(t *testing.T) {
	t.Parallel()
	for _, items := range [][]order.State{nil, {"pending"}, {"failed"}, {"expired"}, {"pending", "failed", "expired"}} {
		status, visible := order.RollUp(order.SetOf(items...))
		require.False(t, visible, items)
		require.Empty(t, status, items)
	}
}

// All 2^11 sets of states, so that the rule covers every combination of items and returns only known values.
func TestRollUp_agreesWithWrittenRule(t *testing.T) {
	t.Parallel()
	all := order.States()
	for mask := range 1 << len(all) {
		var items []order.State
		for bit, state := range all {
			if mask&(1<<bit) != 0 {
				items = append(items, state)
			}
		}
		status, visible := order.RollUp(order.SetOf(items...))
		require.Equal(t, asWritten(items), status, items)
		require.Equal(t, status != "", visible, items)
		if visible {
			require.Contains(t, order.Statuses(), status, items)
		}
	}
}

// Order and number of the items do not affect the status.
func TestRollUp_ignoresOrderAndNumber(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		items := rapid.SliceOfN(rapid.SampledFrom(order.States()), 0, 30).Draw(t, "items")
		shuffled := rapid.Permutation(append(items, items...)).Draw(t, "shuffled, each twice")
		status, _ := order.RollUp(order.SetOf(items...))
		again, _ := order.RollUp(order.SetOf(shuffled...))
		require.Equal(t, status, again)
		require.Equal(t, asWritten(items), status)
	})
}

// A set of states returns its elements once, in the order of the states, and no unknown one.
func TestSet_holdsWhatWasPutIn(t *testing.T) {
	t.Parallel()
	set := order.SetOf(order.Shipping, order.Paid, order.Paid, "unknown")
	require.Equal(t, []order.State{order.Paid, order.Shipping}, set.States())
	require.True(t, set.Has(order.Paid))
	require.False(t, set.Has(order.Preparing))
	require.False(t, set.Has("unknown"))
	require.Empty(t, order.SetOf().States())
}

// asWritten is the rule as the API states it, over a list of items.
func asWritten(items []order.State) order.Status {
	visible, claimed := false, false
	alive := make([]order.State, 0, len(items))
	for _, item := range items {
		switch item {
		case order.Pending, order.Failed, order.Expired:
			continue
		case order.Canceled, order.Returned:
			claimed = true
		case order.Exchanged:
		default:
			alive = append(alive, item)
		}
		visible = true
	}
	switch {
	case !visible:
		return ""
	case len(alive) == 0:
		return order.StatusCanceled
	case claimed:
		return order.StatusPartiallyClaimed
	}
	for _, least := range []order.State{order.Paid, order.Preparing, order.Shipping, order.Delivered, order.Confirmed} {
		if contains(alive, least) {
			return order.Status(least)
		}
	}
	return "unreachable"
}
