package store

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// The clock of the marketplace may be a minute ahead of ours. Whatever it reports, and whatever happens then, no stamp of an
// order is before an earlier one, and updated_at is not before any of them.
func TestStamps_marketplaceAhead(t *testing.T) {
	t.Parallel()
	ahead := func(h *shop) time.Time { return now(h.t, h.s).Add(order.ClockSlack) }
	for name, begin := range map[string]func(h *shop){
		"placed": func(h *shop) { place(h.t, h.s, h.placed) },
		"paid": func(h *shop) {
			h.placed.PaidAt = time.Time{}
			place(h.t, h.s, h.placed)
			_, err := h.s.EndPayment(h.t.Context(), h.no, order.PaymentPaid, ahead(h))
			require.NoError(h.t, err)
		},
		"imported": func(h *shop) {
			paidAt := now(h.t, h.s).Add(order.ClockSlack - time.Second)
			h.placed.PaidAt = paidAt
			ordertest.History(&h.placed.Parts[0].Lines[0], paidAt, time.Second/10, order.Preparing, order.Shipping)
			place(h.t, h.s, h.placed)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newShop(t)
			h.no = "AHEAD"
			h.placed = ordertest.New(h.no, ahead(h), h.a, uuid.New())
			begin(h)
			if h.seen(h.a).Items[0].State == order.Paid {
				h.must(h.prepare(h.call(1)))
				h.must(h.ship(h.call(1), parcels[0]))
			}
			h.must(h.deliver(h.call(1)))
			_, err := h.s.Confirm(t.Context(), h.no, h.call(1).ItemIDs, nil)
			require.NoError(t, err)
			seen := h.seen(h.a)
			item := seen.Items[0]
			stamps := []time.Time{
				ordertest.Epoch, seen.PaidAt, item.ShippedAt, item.DeliveredAt, item.ConfirmedAt,
				seen.UpdatedAt, now(t, h.s),
			}
			for i := range stamps[1:] {
				require.False(t, stamps[i+1].Before(stamps[i]), "%d: %v", i, stamps)
			}
			var wrong int
			require.NoError(t, h.db.Pool.QueryRow(t.Context(), `select count(*) from status_changes c join seller_orders so using
				(seller_id, order_id)
				where c.changed_at > so.updated_at or c.changed_at < so.paid_at`).Scan(&wrong))
			require.Zero(t, wrong)
		})
	}
}
