package e2e

import (
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

var orderParams = map[string]string{
	"paid_at_gte": "2026-01-01T00:00:00Z", "paid_at_lte": "2026-01-01T00:00:00Z",
	"updated_at_gte": "2026-01-01T00:00:00Z", "updated_at_lte": "2026-01-01T00:00:00Z",
	"order_status": "paid", "item_status": "paid", "order_no": "X", "status_changed_to": "paid",
	"ship_by_lte":           "2026-01-01T00:00:00Z",
	"status_changed_at_gte": "2026-01-01T00:00:00Z", "status_changed_at_lte": "2026-01-01T00:00:00Z",
	"limit": "10", "cursor": "x",
}

// Every parameter of the specification is known, and no other.
func TestQuery_everySpecifiedParameterKnown(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	answer := s.Do(t, stacktest.Get(s.Seller(t).Key, "/open/v1/orders", "unknown", "1"))
	problem := stacktest.RequireInvalid(t, answer, "query.unknown")[0]
	known, ok := problem["allowed"].([]any)
	require.True(t, ok)
	for name := range orderParams {
		require.True(t, slices.Contains(known, any(name)), name)
	}
	require.Subset(t, known, []any{"after", "wait"}, "additions, which go with limit only")
	require.Len(t, known, len(orderParams)+2)
}

var printed = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$`)

// Clients compare timestamps as strings; a dropped zero would break their order.
func TestTimestamps_sixDigitsAndZ(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	at := time.Now().Add(-300 * time.Hour).UTC().Truncate(time.Second) // six zeros
	order := stacktest.NewOrder(seller.ID, stacktest.PaidAt(at))
	stacktest.SetHistory(order.GetSellers()[0].GetLines()[0], at, time.Hour, "preparing", "shipping", "delivered", "confirmed")
	s.Place(t, order)
	got := stacktest.RequireOK[stacktest.Order](t, s.Do(t, stacktest.Get(seller.Key, "/open/v1/orders/"+order.GetOrderNo())))
	item := got.Items[0]
	require.Equal(t, at.Format("2006-01-02T15:04:05")+".000000Z", got.PaidAt)
	for _, text := range []string{got.PaidAt, got.UpdatedAt, *item.ShippedAt, *item.DeliveredAt, *item.ConfirmedAt} {
		require.Regexp(t, printed, text)
	}
	require.Equal(t, at.Add(2*time.Hour).Format("2006-01-02T15:04:05")+".000000Z", *item.ShippedAt)
	require.Equal(t, at.Add(3*time.Hour).Format("2006-01-02T15:04:05")+".000000Z", *item.DeliveredAt)
	require.Equal(t, at.Add(4*time.Hour).Format("2006-01-02T15:04:05")+".000000Z", *item.ConfirmedAt)
}

// The filter searches the history, not the present state: an order that is delivered now is still found by its
// shipment.
func TestStatusChange_foundByHistory(t *testing.T) {
	t.Parallel()
	s := stacktest.Use(t)
	seller := s.Seller(t)
	paidAt := time.Now().Add(-100 * time.Hour).UTC().Truncate(time.Second)
	order := stacktest.NewOrder(seller.ID, stacktest.PaidAt(paidAt))
	stacktest.SetHistory(order.GetSellers()[0].GetLines()[0], paidAt, time.Hour, "preparing", "shipping", "delivered")
	s.Place(t, order)
	s.PlaceNew(t, seller.ID)
	want := []string{order.GetOrderNo()}
	for hours, state := range []string{"paid", "preparing", "shipping", "delivered"} {
		at := paidAt.Add(time.Duration(hours) * time.Hour)
		exactly := at.Format(time.RFC3339)
		require.Equal(t, want, list(t, s, seller, "status_changed_to", state, "status_changed_at_gte", exactly,
			"status_changed_at_lte", exactly), state)
		for _, other := range itemStates {
			if other != state {
				require.Empty(t, list(t, s, seller, "status_changed_to", other, "status_changed_at_gte", exactly,
					"status_changed_at_lte", exactly))
			}
		}
	}
	justAfter := paidAt.Add(2*time.Hour + time.Microsecond).Format(time.RFC3339Nano)
	require.Empty(t, list(t, s, seller, "status_changed_to", "shipping", "status_changed_at_gte", justAfter))
	require.Equal(t, want, list(t, s, seller, "status_changed_to", "shipping", "status_changed_at_lte", justAfter))
}
