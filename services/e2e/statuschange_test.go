package e2e

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

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
		require.Equal(t, want, list(t, s, seller, "status_changed_to", state, "status_changed_at_gte", exactly, "status_changed_at_lte", exactly), state)
		for _, other := range itemStates {
			if other != state {
				require.Empty(t, list(t, s, seller, "status_changed_to", other, "status_changed_at_gte", exactly, "status_changed_at_lte", exactly))
			}
		}
	}
	justAfter := paidAt.Add(2*time.Hour + time.Microsecond).Format(time.RFC3339Nano)
	require.Empty(t, list(t, s, seller, "status_changed_to", "shipping", "status_changed_at_gte", justAfter))
	require.Equal(t, want, list(t, s, seller, "status_changed_to", "shipping", "status_changed_at_lte", justAfter))
}
