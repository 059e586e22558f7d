package store

import (
	"errors"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/orders/internal/order"
)

// Once the money of a claim can move, no operator can correct the state of its items; the claim itself can still end both ways.
func TestCorrect_sealedItem(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimReturn, 1)
	away := order.Correction{To: order.Shipping}
	once := act("before")
	_, err := h.s.Correct(t.Context(), h.no, h.id(1).String(), order.Correction{To: order.Delivered}, once)
	require.NoError(t, err)
	before := h.seen(h.a)
	require.NoError(t, h.seal(t.Context(), "C-1"))
	sealed := h.seen(h.a)
	require.True(t, sealed.UpdatedAt.After(before.UpdatedAt), "the claim is about to change")
	before.UpdatedAt = sealed.UpdatedAt
	require.Equal(t, before, sealed)
	h.unmoved(func() error { return h.seal(t.Context(), "C-1") })
	h.unmoved(func() error {
		_, err := h.s.Correct(t.Context(), h.no, h.id(1).String(), away, act("after"))
		require.ErrorIs(t, err, apierr.OrderItemHasActiveClaim)
		require.Equal(t, "C-1", apierr.From(err).Data["claim_no"])
		_, err = h.s.Correct(t.Context(), h.no, h.id(1).String(), order.Correction{To: order.Delivered}, once)
		return err // it was done before
	})
	_, err = h.s.Correct(t.Context(), h.no, h.id(2).String(), away, act("another"))
	require.NoError(t, err, "the other item has no claim")
	_, err = h.settle(t.Context(), "C-1")
	require.NoError(t, err)
	_, err = h.s.Correct(t.Context(), h.no, h.id(1).String(), away, act("after"))
	require.NoError(t, err, "the remainder of the item is free")

	released := opened(t, order.ClaimReturn, 1)
	require.NoError(t, released.seal(t.Context(), "C-1"))
	require.NoError(t, released.s.Release(t.Context(), "C-1"))
	require.ErrorIs(t, released.seal(t.Context(), "C-1"), apierr.ClaimNotApprovable)
}

// A seal and a correction are concurrent: one of the two locks the order first, and the other is refused.
func TestSeal_concurrentCorrection(t *testing.T) {
	t.Parallel()
	for range 10 {
		h := opened(t, order.ClaimReturn, 1)
		var sealing, correcting error
		var running sync.WaitGroup
		running.Go(func() { sealing = h.seal(t.Context(), "C-1") })
		running.Go(func() {
			_, correcting = h.s.Correct(t.Context(), h.no, h.id(1).String(), order.Correction{To: order.Shipping}, act(uuid.NewString()))
		})
		running.Wait()
		require.NotEqual(t, sealing == nil, correcting == nil, "%v, %v", sealing, correcting)
		require.True(t, sealing == nil || errors.Is(sealing, apierr.ClaimNotApprovable))
		require.True(t, correcting == nil || errors.Is(correcting, apierr.OrderItemHasActiveClaim))
	}
}
