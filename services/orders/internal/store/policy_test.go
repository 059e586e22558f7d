package store

import (
	"context"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
)

func (h *shop) correctShipment(call order.ProcessCommand, parcel carrier.Shipment) (order.ProcessResult, error) {
	h.t.Helper()
	return h.inTx(func(ctx context.Context, tx postgres.Tx) (order.ProcessResult, error) {
		return h.s.CorrectShipment(ctx, tx, call, parcel)
	})
}

func (h *shop) mayCorrect(seller uuid.UUID) (may bool) {
	h.t.Helper()
	h.ok(postgres.InTx(h.t.Context(), postgres.OfSeller(h.s.pool, seller), func(ctx context.Context, tx pgx.Tx) (err error) {
		may, err = h.s.MayCorrect(ctx, postgres.Pass(tx), seller)
		return err
	}))
	return may
}

// A seller may not correct parcels until that is set, and not after it is taken back; what is set for one holds for no other.
func TestPolicy_offByDefault(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	for _, may := range []bool{false, true, true, false, true} {
		require.NoError(t, h.s.SetPolicy(t.Context(), h.b, order.Policy{ShipmentCorrection: may}))
		require.Equal(t, may, h.mayCorrect(h.b))
		require.False(t, h.mayCorrect(h.a))
	}
}

// A correction changes the order for its readers, keeps the former parcel in the history, and its repetition leaves no trace.
func TestCorrectShipment_replacesParcel(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	h.must(h.ship(h.call(1, 2), parcels[0]))
	before, changes := h.seen(h.a), h.count("status_changes")
	done := h.must(h.correctShipment(h.call(2), parcels[1]))
	after := h.seen(h.a)
	require.Equal(t, parcels[0], after.Items[0].Parcel())
	require.Equal(t, parcels[1], after.Items[1].Parcel())
	require.Equal(t, before.Items[1].ShippedAt, after.Items[1].ShippedAt)
	require.Equal(t, after.UpdatedAt, done.UpdatedAt)
	require.True(t, after.UpdatedAt.After(before.UpdatedAt))
	require.Equal(t, changes, h.count("status_changes"), "no state was entered")

	again := h.must(h.correctShipment(h.call(2), parcels[1]))
	require.True(t, again.Items[0].AlreadyDone)
	require.Equal(t, after, h.seen(h.a))
	require.Equal(t, 2, h.count("shipments"))
	history, err := h.s.History(t.Context(), h.a, h.no)
	require.NoError(t, err)
	var said []string
	for _, e := range history.Events {
		if e.Kind == order.EventParcel {
			said = append(said, e.TrackingNo)
		}
	}
	require.Equal(t, []string{string(parcels[0].TrackingNo), string(parcels[1].TrackingNo)}, said)
	h.requireReplays(h.a)
	h.must(h.deliver(h.call(1, 2)))
}

// A correction that does not commit leaves no trace, and the same call then makes it.
func TestCorrectShipment_notCommitted(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	h.must(h.ship(h.call(1), parcels[0]))
	before := h.seen(h.a)
	_, err := h.inTx(func(ctx context.Context, tx postgres.Tx) (order.ProcessResult, error) {
		_, err := h.s.CorrectShipment(ctx, tx, h.call(1), parcels[1])
		h.ok(err)
		return order.ProcessResult{}, context.Canceled
	})
	require.ErrorIs(t, err, context.Canceled)
	require.Equal(t, before, h.seen(h.a))
	require.False(t, h.must(h.correctShipment(h.call(1), parcels[1])).Items[0].AlreadyDone)
	require.Equal(t, parcels[1], h.seen(h.a).Items[0].Parcel())
}

// Of several corrections and a delivery at once, each sees the outcome of those before it: the parcel that was delivered stays.
func TestCorrectShipment_besideDelivery(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	h.must(h.ship(h.call(1), parcels[0]))
	var all sync.WaitGroup
	for range 4 {
		for _, parcel := range parcels {
			all.Go(func() { _, _ = h.correctShipment(h.call(1), parcel) })
		}
	}
	all.Go(func() { _, _ = h.deliver(h.call(1)) })
	all.Wait()
	require.Equal(t, order.Delivered, h.seen(h.a).Items[0].State)
	h.requireReplays(h.a)
}
