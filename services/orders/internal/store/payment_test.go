package store

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"
	"golang.org/x/sync/errgroup"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// An order that is paid becomes visible to all its sellers.
func TestEndPayment_paidIsVisibleToAllSellers(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	a, b := uuid.New(), uuid.New()
	placement := ordertest.New("A-1", time.Time{}, a, b)
	place(t, s, placement)
	before, err := s.Now(t.Context())
	require.NoError(t, err)

	changed, err := s.EndPayment(t.Context(), "A-1", order.PaymentPaid, ordertest.Epoch)
	require.NoError(t, err)
	require.True(t, changed)

	placement.PaidAt = ordertest.Epoch
	for _, seller := range []uuid.UUID{a, b} {
		found, err := s.Find(t.Context(), seller, "A-1")
		require.NoError(t, err)
		wanted, _ := ordertest.View(&placement, seller)
		wanted.ID, wanted.UpdatedAt = found.ID, found.UpdatedAt
		require.Equal(t, &wanted, found)
		require.True(t, found.UpdatedAt.After(before), "a poller must see it now")
		since := &order.ChangeFilter{To: order.Paid, At: order.Range{From: &ordertest.Epoch, Until: &ordertest.Epoch}}
		require.Len(t, walk(t, s, seller, order.Filter{ItemState: order.Paid, Change: since}, 50), 1)
	}
}

// The caller may say whose order it is: one with another seller, also beside these, is not found and stays as it is.
func TestEndPayment_ofTheseSellers(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	a, b, c := uuid.New(), uuid.New(), uuid.New()
	place(t, s, ordertest.New("A-1", time.Time{}, a, b))
	for _, among := range [][]uuid.UUID{{a}, {c}, {b, c}} {
		_, err := s.EndPayment(t.Context(), "A-1", order.PaymentPaid, ordertest.Epoch, among...)
		require.ErrorIs(t, err, apierr.OrderNotFound)
	}
	changed, err := s.EndPayment(t.Context(), "A-1", order.PaymentPaid, ordertest.Epoch, c, b, a)
	require.NoError(t, err)
	require.True(t, changed)
}

// A payment that fails or expires leaves the order invisible.
func TestEndPayment_failedStaysInvisible(t *testing.T) {
	t.Parallel()
	for _, outcome := range []order.Payment{order.PaymentFailed, order.PaymentExpired} {
		s, db := setup(t)
		seller := uuid.New()
		place(t, s, ordertest.New("A-1", time.Time{}, seller))
		changed, err := s.EndPayment(t.Context(), "A-1", outcome, time.Time{})
		require.NoError(t, err)
		require.True(t, changed)
		require.Empty(t, walk(t, s, seller, order.Filter{}, 50))
		_, err = s.Find(t.Context(), seller, "A-1")
		require.ErrorIs(t, err, apierr.OrderNotFound)
		require.Zero(t, rowCount(t, db, "status_changes"))
		var state order.State
		require.NoError(t, db.Pool.QueryRow(t.Context(), "select item_status from lines").Scan(&state))
		require.Equal(t, outcome.ItemState(), state)
	}
}

func TestAPaymentEndsOnce(t *testing.T) {
	t.Parallel()
	s, _ := setup(t)
	seller := uuid.New()
	place(t, s, ordertest.New("A-1", time.Time{}, seller), ordertest.New("A-2", ordertest.Epoch, seller))
	_, err := s.EndPayment(t.Context(), "A-1", order.PaymentPaid, ordertest.Epoch)
	require.NoError(t, err)
	before := walk(t, s, seller, order.Filter{}, 50)
	for _, no := range []string{"A-1", "A-2"} {
		changed, err := s.EndPayment(t.Context(), no, order.PaymentPaid, ordertest.Epoch.Add(time.Hour))
		require.NoError(t, err)
		require.False(t, changed)
		for _, other := range []order.Payment{order.PaymentFailed, order.PaymentExpired} {
			changed, err = s.EndPayment(t.Context(), no, other, time.Time{})
			require.ErrorIs(t, err, order.ErrPaymentEnded)
			require.False(t, changed)
		}
	}
	require.Equal(t, before, walk(t, s, seller, order.Filter{}, 50))
	_, err = s.EndPayment(t.Context(), "NONE", order.PaymentPaid, ordertest.Epoch)
	require.ErrorIs(t, err, apierr.OrderNotFound)
}

// The payment system may report twice concurrently, and may even contradict itself: one report wins, all that agree with it
// succeed, and the order is paid once.
func TestEndPayment_concurrentReportsAgree(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	seller := uuid.New()
	place(t, s, ordertest.New("A-1", time.Time{}, seller, uuid.New()))
	changes := make([]bool, 8)
	errs := make([]error, len(changes))
	group, ctx := errgroup.WithContext(t.Context())
	for i := range changes {
		group.Go(func() error {
			outcome, paidAt := order.PaymentPaid, ordertest.Epoch
			if i%2 == 1 {
				outcome, paidAt = order.PaymentFailed, time.Time{}
			}
			changes[i], errs[i] = s.EndPayment(ctx, "A-1", outcome, paidAt)
			return nil
		})
	}
	require.NoError(t, group.Wait())
	winner := -1
	for i, changed := range changes {
		if changed {
			require.Equal(t, -1, winner, "changed twice")
			winner = i
		}
	}
	require.NotEqual(t, -1, winner)
	for i, err := range errs {
		if i%2 == winner%2 {
			require.NoError(t, err)
		} else {
			require.ErrorIs(t, err, order.ErrPaymentEnded)
		}
	}
	require.Equal(t, 2*(1-winner%2), rowCount(t, db, "status_changes"))
}

// A range of paid_at or of a change is also used as a range of updated_at, so the database must guarantee that this is valid.
func TestEndPayment_changeTimesBounded(t *testing.T) {
	t.Parallel()
	s, db := setup(t)
	seller := uuid.New()
	delivered := ordertest.New("A-1", ordertest.Epoch, seller)
	ordertest.History(&delivered.Parts[0].Lines[0], ordertest.Epoch, time.Hour, order.Shipping, order.Delivered)
	now, err := s.Now(t.Context())
	require.NoError(t, err)
	place(t, s, delivered, ordertest.New("A-2", now, seller), ordertest.New("A-3", time.Time{}, seller))
	_, err = s.EndPayment(t.Context(), "A-3", order.PaymentPaid, now)
	require.NoError(t, err)
	var bad int
	require.NoError(t, db.Pool.QueryRow(t.Context(), `select count(*) from status_changes c join seller_orders so using
		(seller_id, order_id)
		where c.changed_at > so.updated_at or c.changed_at < so.paid_at`).Scan(&bad))
	require.Zero(t, bad)
	_, err = db.Pool.Exec(t.Context(), "update seller_orders set paid_at = updated_at + $1::interval", order.ClockSlack)
	require.NoError(t, err, "the database allows the same clock slack")
	_, err = db.Pool.Exec(t.Context(), "update seller_orders set paid_at = updated_at + interval '1 minute 1 microsecond'")
	require.ErrorContains(t, err, "seller_orders_updated")
}
