package store

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/pkg/telemetry/telemetrytest"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

func placeDue(t *testing.T, s *Store, numbers ...string) uuid.UUID {
	t.Helper()
	seller := uuid.New()
	placements := make([]order.Placement, 0, len(numbers))
	for _, no := range numbers {
		p := ordertest.New(no, ordertest.Epoch, seller)
		ordertest.History(&p.Parts[0].Lines[0], ordertest.Epoch, time.Hour, order.Shipping, order.Delivered)
		placements = append(placements, p)
	}
	place(t, s, placements...)
	return seller
}

func (s *Store) due(t *testing.T, limit int) []string {
	t.Helper()
	found, err := s.DueOrders(t.Context(), limit)
	require.NoError(t, err)
	numbers := make([]string, len(found))
	for i, order := range found {
		numbers[i] = order.OrderNo
	}
	return numbers
}

// Due purchases are found and confirmed; others are not changed.
func TestConfirmDue_foundAndConfirmed(t *testing.T) {
	t.Parallel()
	h := newShop(t).delivered()
	confirm := func() int {
		n, err := h.s.ConfirmDue(t.Context(), DueOrder{SellerID: h.a, OrderNo: h.no})
		require.NoError(t, err)
		return n
	}
	require.Empty(t, h.s.due(t, 10))
	h.unmoved(func() error { require.Zero(t, confirm()); return nil })

	_, err := h.db.Pool.Exec(t.Context(),
		"update lines set auto_confirm_at = now() - interval '1 second' where auto_confirm_at is not null")
	require.NoError(t, err)
	_, err = h.open(h.hold("C-1", order.ClaimReturn, 1))
	require.NoError(t, err)
	require.Equal(t, []string{h.no}, h.s.due(t, 10))
	require.Equal(t, 1, confirm(), "the other item is held")
	require.Empty(t, h.s.due(t, 10))
	require.Equal(t, order.Delivered, h.seen(h.a).Items[0].State)
	require.Equal(t, order.Confirmed, h.seen(h.a).Items[1].State)
	require.NoError(t, h.s.Release(t.Context(), "C-1"))
	require.Empty(t, h.s.due(t, 10), "the claim postponed the deadline")
	_, err = h.s.ConfirmDue(t.Context(), DueOrder{SellerID: h.a, OrderNo: "UNKNOWN"})
	require.ErrorIs(t, err, apierr.OrderNotFound)
}

// An order that cannot be confirmed stays due. It must not hide the others, and neither must many of them.
func TestDueOrders_chance(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	numbers := make([]string, 30)
	for i := range numbers {
		numbers[i] = fmt.Sprintf("O-%d", i)
	}
	placeDue(t, s, numbers...)
	require.ElementsMatch(t, numbers, s.due(t, 100))
	seen := map[string]bool{}
	for range 1000 {
		for _, no := range s.due(t, 3) {
			seen[no] = true
		}
	}
	require.Len(t, seen, len(numbers))
}

// A purchase that was placed with its history, or was missed by a process that was killed, is confirmed by the next sweep of any
// process. One failing order does not delay others, and processes that find an order at the same time confirm it once.
func TestConfirmPurchases(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	numbers := append(make([]string, 0, 41), "POISON")
	for i := range 40 {
		numbers = append(numbers, fmt.Sprintf("O-%d", i))
	}
	seller := placeDue(t, s, numbers...)
	_, err := db.Pool.Exec(t.Context(), `create function refuse() returns trigger language plpgsql as $$ begin raise 'poison';
		end $$;
		create trigger poison before update on lines for each row when (old.item_id = (`+"'"+s.item(t, seller, "POISON")+"'"+`)::uuid)
		execute function refuse()`)
	require.NoError(t, err)
	tel := telemetrytest.Discard(t)
	var running sync.WaitGroup
	for range 3 {
		running.Go(func() { _, _ = sweep.New(s.ConfirmPurchases(), tel).Once(t.Context()) })
	}
	running.Wait()
	require.Equal(t, []string{"POISON"}, s.due(t, 100))
	require.GreaterOrEqual(t, testutil.ToFloat64(tel.Counter(telemetry.JobRuns).WithLabelValues("confirm_purchase", "retry")), 1.0)
	var confirmations int
	err = db.Pool.QueryRow(t.Context(), "select count(*) from status_changes where to_status = 'confirmed'").Scan(&confirmations)
	require.NoError(t, err)
	require.Equal(t, 40, confirmations)
}

func (s *Store) item(t *testing.T, seller uuid.UUID, no string) string {
	t.Helper()
	found, err := s.Find(t.Context(), seller, no)
	require.NoError(t, err)
	return found.Items[0].ID.String()
}

// A purchase confirms itself at its time and not before, determined only by its column.
func TestConfirmPurchases_atItsTime(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	h.s.terms.ConfirmAfter = 2 * time.Second
	h.delivered()
	ctx, stop := context.WithCancel(t.Context())
	purchases := h.s.ConfirmPurchases()
	purchases.Interval = 50 * time.Millisecond
	var running sync.WaitGroup
	running.Go(func() { sweep.New(purchases, telemetrytest.Discard(t)).Keep(ctx) })
	t.Cleanup(func() { stop(); running.Wait() })
	require.Eventually(t, func() bool { return h.seen(h.a).Items[0].State == order.Confirmed }, time.Minute, 20*time.Millisecond)
	item := h.seen(h.a).Items[0]
	require.False(t, item.ConfirmedAt.Before(item.DeliveredAt.Add(2*time.Second)))
}

// Metrics count the open work: orders in progress and unconfirmed purchases.
func TestGauges(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	placeDue(t, s, "O-1", "O-2")
	_, err := db.Pool.Exec(t.Context(), "update lines set auto_confirm_at = clock_timestamp() - interval '1 hour'")
	require.NoError(t, err)
	tel := telemetrytest.Discard(t)
	for _, gauge := range Gauges() {
		require.NoError(t, gauge.Set(t.Context(), db.Pool, tel))
	}
	require.InDelta(t, 2, testutil.ToFloat64(tel.Gauge(telemetry.OrdersOpen).WithLabelValues("delivered")), 0)
	require.Zero(t, testutil.ToFloat64(tel.Gauge(telemetry.OrdersOpen).WithLabelValues("paid")))
	require.InDelta(t, 3600, testutil.ToFloat64(tel.Gauge(telemetry.DeadlineOverdue).WithLabelValues("purchase")), 60)
}
