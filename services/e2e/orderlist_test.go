package e2e

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	ordersv1 "sellerapi.dev/proto/gen/orders/v1"
	"sellerapi.dev/services/e2e/stacktest"
)

// itemStates are the states that a client can filter by.
var itemStates = []string{"paid", "preparing", "shipping", "delivered", "confirmed", "canceled", "returned", "exchanged"}

func list(t *testing.T, s *stacktest.Stack, seller stacktest.Seller, query ...string) []string {
	t.Helper()
	answer := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders", query...))
	return orderNos(stacktest.RequireOK[stacktest.Page[stacktest.Order]](t, answer).List)
}

func TestItemStatusFilter_anyLineMatches(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	want := map[string][]string{}
	for _, state := range itemStates {
		want[state] = append(want[state], s.PlaceNew(t, seller.ID, stacktest.InState(state)).GetOrderNo())
	}
	both := stacktest.NewOrder(seller.ID, stacktest.Lines(stacktest.NewLine("사과"), stacktest.NewLine("배")))
	paidAt := time.Now().Add(-10 * time.Hour)
	stacktest.PaidAt(paidAt)(both)
	stacktest.SetHistory(both.GetSellers()[0].GetLines()[1], paidAt, time.Hour, "preparing", "shipping")
	s.Place(t, both)
	want["paid"] = append(want["paid"], both.GetOrderNo())
	want["shipping"] = append(want["shipping"], both.GetOrderNo())
	for _, state := range itemStates {
		require.ElementsMatch(t, want[state], list(t, s, seller, "item_status", state), state)
	}
}

// The filter does not consider another seller's lines in a mixed order.
func TestItemStatusFilter_ownLinesOnly(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	a, b := s.Seller(t), s.Seller(t)
	order := s.PlaceNew(t, a.ID, stacktest.InState("shipping"), stacktest.With(b.ID))
	require.Equal(t, []string{order.GetOrderNo()}, list(t, s, b, "item_status", "paid"))
	require.Empty(t, list(t, s, b, "item_status", "shipping"))
	require.Empty(t, list(t, s, b, "status_changed_to", "shipping", "status_changed_at_gte", "2020-01-01T00:00:00Z"))
	require.Equal(t, []string{order.GetOrderNo()}, list(t, s, a, "item_status", "shipping"))
	require.Empty(t, list(t, s, a, "item_status", "paid"))
}

// Filters are combined: an order is listed only if it meets all of them.
func TestFilters_combinedWithAnd(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	at := time.Now().Add(-50 * time.Hour)
	target := orderWith(seller.ID, "shipping", "paid")
	s.Place(t, target, stacktest.NewOrder(seller.ID, stacktest.PaidAt(at)))
	s.PlaceNew(t, seller.ID, stacktest.InState("shipping"))
	s.PlaceNew(t, seller.ID, stacktest.InState("delivered"))
	query := []string{
		"order_status", "paid", "item_status", "shipping", "order_no", target.GetOrderNo(),
		"paid_at_gte", "2020-01-01T00:00:00Z", "paid_at_lte", time.Now().UTC().Format(time.RFC3339),
		"updated_at_gte", "2020-01-01T00:00:00Z", "updated_at_lte", "2100-01-01T00:00:00Z",
		"status_changed_to", "shipping", "status_changed_at_gte", "2020-01-01T00:00:00Z", "status_changed_at_lte",
		"2100-01-01T00:00:00Z",
	}
	require.Equal(t, []string{target.GetOrderNo()}, list(t, s, seller, query...))
	for i, other := range map[int]string{1: "shipping", 3: "confirmed", 5: "X", 7: "2100-01-01T00:00:00Z"} {
		changed := append([]string{}, query...)
		changed[i] = other
		if i == 7 {
			changed = append(changed[:8], changed[10:]...) // a range must not be reversed
		}
		require.Empty(t, list(t, s, seller, changed...), changed)
	}
}

func TestOrderList_unpaidOrdersHidden(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	pending := s.PlaceMany(t, 3, seller.ID, stacktest.Unpaid)
	s.RecordPayment(t, pending[1].GetOrderNo(), ordersv1.PaymentOutcome_PAYMENT_OUTCOME_FAILED)
	s.RecordPayment(t, pending[2].GetOrderNo(), ordersv1.PaymentOutcome_PAYMENT_OUTCOME_EXPIRED)
	require.Empty(t, list(t, s, seller))
	for _, order := range pending {
		require.Empty(t, list(t, s, seller, "order_no", order.GetOrderNo()))
		answer := s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders/"+order.GetOrderNo()))
		stacktest.RequireFailure(t, answer, http.StatusNotFound, "ORDER_NOT_FOUND")
	}
	s.RecordPayment(t, pending[0].GetOrderNo(), ordersv1.PaymentOutcome_PAYMENT_OUTCOME_PAID)
	require.Equal(t, []string{pending[0].GetOrderNo()}, list(t, s, seller))
}

func orderWith(sellerID string, states ...string) *ordersv1.Order {
	lines := make([]*ordersv1.Line, len(states))
	paidAt := time.Now().Add(-12 * time.Hour).UTC().Truncate(time.Microsecond)
	for i, state := range states {
		lines[i] = stacktest.NewLine("당도선별 사과")
		stacktest.SetHistory(lines[i], paidAt, time.Hour, stacktest.Way(state)...)
	}
	return stacktest.NewOrder(sellerID, stacktest.PaidAt(paidAt), stacktest.Lines(lines...))
}
