package store

import (
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/orders/internal/order"
)

func (h *shop) hold(claimNo string, claim order.ClaimType, quantity int64) *order.Hold {
	return &order.Hold{
		ClaimNo: claimNo, Type: claim, SellerID: h.a, State: order.HoldActive,
		Items: []order.HoldItem{{ItemID: h.id(1), Quantity: quantity}},
	}
}

func (h *shop) open(hold *order.Hold) (string, error) {
	answer, err := h.s.Open(h.t.Context(), h.no, hold, func(o *order.Locked, _ order.Opened) ([]byte, error) {
		return []byte(o.Item(hold.Items[0].ItemID).State), nil
	})
	return string(answer), err
}

// opened returns a shop whose first item a claim holds.
func opened(t *testing.T, claim order.ClaimType, quantity int64) *shop {
	t.Helper()
	h := newShop(t)
	if claim != order.ClaimCancel {
		h.delivered()
	}
	_, err := h.open(h.hold("C-1", claim, quantity))
	require.NoError(t, err)
	return h
}

// unmoved fails unless the call succeeds and changes nothing that the seller sees.
func (h *shop) unmoved(call func() error) {
	h.t.Helper()
	before := h.seen(h.a)
	require.NoError(h.t, call())
	require.Equal(h.t, before, h.seen(h.a))
}

func TestOpen_seenOnItemAndRepeatable(t *testing.T) {
	t.Parallel()
	h := newShop(t).delivered()
	before := h.seen(h.a)
	answer, err := h.open(h.hold("C-1", order.ClaimReturn, 1))
	require.NoError(t, err)
	require.Equal(t, "delivered", answer)
	after := h.seen(h.a)
	require.True(t, after.Items[0].HasActiveClaim)
	require.False(t, after.Items[1].HasActiveClaim)
	require.Zero(t, after.Items[0].AutoConfirmAt)
	require.True(t, after.UpdatedAt.After(before.UpdatedAt))

	_, err = h.s.Correct(t.Context(), h.no, h.id(1).String(), order.Correction{To: order.Shipping},
		order.Act{ID: "1", Operator: "o", Reason: "r"})
	require.NoError(t, err)
	h.unmoved(func() error {
		answer, err = h.open(h.hold("C-1", order.ClaimReturn, 1))
		return err
	})
	require.Equal(t, "delivered", answer, "the stored response, despite later changes")
	_, err = h.open(h.hold("C-1", order.ClaimReturn, 2))
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
}

// A refused opening leaves no hold behind.
func TestOpen_refusedLeavesNoHold(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	for _, hold := range []*order.Hold{h.hold("C-1", order.ClaimReturn, 1), h.hold("C-1", order.ClaimCancel, 99)} {
		_, err := h.open(hold)
		require.ErrorIs(t, err, apierr.ClaimNotApprovable)
	}
	other := h.hold("C-1", order.ClaimCancel, 1)
	other.SellerID = h.b
	_, err := h.open(other)
	require.ErrorIs(t, err, apierr.OrderItemNotFound)
	h.no = "UNKNOWN"
	_, err = h.open(h.hold("C-1", order.ClaimCancel, 1))
	require.ErrorIs(t, err, apierr.OrderNotFound)
	require.Zero(t, h.count("claim_holds"))
	require.Zero(t, h.count("claim_hold_items"))
}

// A released claim frees the item for another one; its own number cannot be used again.
func TestRelease_freesItem(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimReturn, 1)
	require.NoError(t, h.s.Release(t.Context(), "C-1"))
	item := h.seen(h.a).Items[0]
	require.False(t, item.HasActiveClaim)
	require.NotZero(t, item.AutoConfirmAt)
	h.unmoved(func() error { return h.s.Release(t.Context(), "C-1") })
	_, err := h.open(h.hold("C-1", order.ClaimReturn, 1))
	require.ErrorIs(t, err, apierr.ClaimNotApprovable, "a claim number has one hold")
	_, err = h.settle(t.Context(), "C-1")
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
	_, err = h.open(h.hold("C-2", order.ClaimReturn, 1))
	require.NoError(t, err)
}

// Calls of claims can overtake each other. A delayed call must not hold the items of a claim that was given up.
func TestOpen_afterItsRelease(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	for range 2 {
		require.NoError(t, h.s.Release(t.Context(), "C-1"))
	}
	h.unmoved(func() error {
		_, err := h.open(h.hold("C-1", order.ClaimCancel, 1))
		require.ErrorIs(t, err, apierr.ClaimNotApprovable)
		return nil
	})
	_, err := h.settle(t.Context(), "C-1")
	require.ErrorIs(t, err, apierr.ClaimNotFound)
}

// A concurrent opening and release of a claim leave no hold.
func TestRelease_concurrentWithOpening(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	for round := range 15 {
		claimNo := fmt.Sprintf("C-%d", round)
		var opening, releasing error
		var running sync.WaitGroup
		running.Go(func() { _, opening = h.open(h.hold(claimNo, order.ClaimCancel, 1)) })
		running.Go(func() { releasing = h.s.Release(t.Context(), claimNo) })
		running.Wait()
		require.NoError(t, releasing)
		if opening != nil {
			require.ErrorIs(t, opening, apierr.ClaimNotApprovable)
		}
		require.False(t, h.seen(h.a).Items[0].HasActiveClaim)
	}
}

// Many concurrent repetitions of an opening are one hold, and each call succeeds.
func TestOpen_concurrentRepetitionsOneHold(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	failures := make([]error, 8)
	var running sync.WaitGroup
	for i := range failures {
		running.Go(func() { _, failures[i] = h.open(h.hold("C-1", order.ClaimCancel, 1)) })
	}
	running.Wait()
	for _, err := range failures {
		require.NoError(t, err)
	}
	require.Equal(t, 1, h.count("claim_hold_items"))
}

// A partial return leaves two items that add up to the original one.
func TestSettle_partialReturnAddsUp(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimReturn, 1)
	whole := h.seen(h.a).Items[0]
	settled, err := h.settle(t.Context(), "C-1")
	require.NoError(t, err)
	items := h.seen(h.a).Items
	require.Len(t, items, 3)
	rest, part := items[0], items[2]
	require.Equal(t, whole.ID, rest.ID)
	require.Equal(t, 4, part.Seq, "the other seller has the third code")
	require.Equal(t, settled.Items[0].SettledItemID, part.ID)
	require.Equal(t, whole.ID, part.OriginID)
	require.Equal(t, "C-1", part.SplitFromClaimNo)
	require.Equal(t, order.Returned, part.State)
	require.Equal(t, whole.Parcel(), part.Parcel())
	require.Equal(t, whole.Quantity, rest.Quantity+part.Quantity)
	require.Equal(t, whole.Prices.Line, rest.Prices.Line+part.Prices.Line)
	require.Equal(t, whole.Prices.Discount, rest.Prices.Discount+part.Prices.Discount)
	require.Equal(t, whole.Prices.Paid, rest.Prices.Paid+part.Prices.Paid)
	require.Equal(t, order.StatusPartiallyClaimed, h.seen(h.a).Status)
	returned := h.seen(h.a).UpdatedAt
	require.True(t, h.listed(order.Filter{ItemState: order.Returned, Change: &order.ChangeFilter{
		To: order.Returned, At: order.Range{Until: &returned},
	}}))

	h.unmoved(func() error {
		again, err := h.settle(t.Context(), "C-1")
		require.Equal(t, settled, again)
		return err
	})
}

// A cancellation of all pieces ends the item itself.
func TestSettle_fullCancelEndsItem(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimCancel, 2)
	settled, err := h.settle(t.Context(), "C-1")
	require.NoError(t, err)
	item := h.seen(h.a).Items[0]
	require.Equal(t, order.Canceled, item.State)
	require.Equal(t, item.ID, settled.Items[0].SettledItemID)
	require.False(t, item.HasActiveClaim)
}

// Each step of a claim touches the order once, for all its sellers, and changes nothing else.
func TestTouch_onceForEachStep(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimReturn, 1)
	for _, step := range []string{"approve", "pickup"} {
		mine, others := h.seen(h.a), h.seen(h.b)
		require.NoError(t, h.touch(t.Context(), "C-1", step, true))
		after := h.seen(h.a)
		require.True(t, after.UpdatedAt.After(mine.UpdatedAt))
		require.True(t, h.seen(h.b).UpdatedAt.After(others.UpdatedAt))
		mine.UpdatedAt = after.UpdatedAt
		require.Equal(t, mine, after)
		h.unmoved(func() error { return h.touch(t.Context(), "C-1", step, true) })
	}
}

// A claim that never held anything is not found, whatever is asked of it.
func TestClaim_neverHeldIsNotFound(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	_, settling := h.settle(t.Context(), "C-9")
	_, adding := h.addExchangeLine(t.Context(), "C-9", nil)
	_, shipping := h.shipExchangeLine(t.Context(), "C-9", "", parcels[0])
	for _, err := range []error{
		settling, adding, shipping, h.convert(t.Context(), "C-9", "R-9", false, false), h.touch(t.Context(), "C-9", "x", false),
	} {
		require.ErrorIs(t, err, apierr.ClaimNotFound)
	}
}
