package store

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/postgres"
	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// After a conversion the return holds the item, the replacing item is canceled and the old claim has no effect.
func TestConvert_heldByReturn(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimExchange, 2)
	_, err := h.addExchangeLine(t.Context(), "C-1", []order.Replacement{{ItemID: h.id(1), Paid: 100}})
	require.NoError(t, err)
	require.NoError(t, h.convert(t.Context(), "C-1", "R-1", false, false))
	items := h.seen(h.a).Items
	require.True(t, items[0].HasActiveClaim)
	require.Equal(t, order.Canceled, items[2].State)
	h.unmoved(func() error { return h.convert(t.Context(), "C-1", "R-1", false, false) })
	h.unmoved(func() error { return h.s.Release(t.Context(), "C-1") })
	require.ErrorIs(t, h.convert(t.Context(), "C-1", "R-2", false, false), apierr.ClaimNotApprovable)
	_, err = h.settle(t.Context(), "R-1")
	require.NoError(t, err)
	require.Equal(t, order.Returned, h.seen(h.a).Items[0].State)
	h.unmoved(func() error { return h.convert(t.Context(), "C-1", "R-1", false, false) })
}

// An exchange one of whose items was shipped is not converted and keeps its hold.
func TestConvert_shippedKeepsHold(t *testing.T) {
	t.Parallel()
	h, fresh := replaced(t)
	h.must(h.ship(order.ProcessCommand{SellerID: h.a, OrderNo: h.no, ItemIDs: fresh[1:]}, parcels[1]))
	h.unmoved(func() error {
		err := h.convert(t.Context(), "C-1", "R-1", false, false)
		require.ErrorIs(t, err, apierr.ClaimNotApprovable)
		require.Equal(t, "exchange_shipped", apierr.From(err).Data["reason"])
		return nil
	})
	require.Equal(t, 1, h.count("claim_holds"))
	h.must(h.ship(order.ProcessCommand{SellerID: h.a, OrderNo: h.no, ItemIDs: fresh[:1]}, parcels[1]))
	_, err := h.shipExchangeLine(t.Context(), "C-1", "", parcels[1])
	require.NoError(t, err)
}

// A number can be used for one hold, however that was created and however it ended.
func TestConvert_takenNumber(t *testing.T) {
	t.Parallel()
	h, _ := replaced(t)
	other := *h
	other.no = "O-2"
	other.placed = ordertest.New(other.no, ordertest.Epoch, h.a)
	place(t, h.s, other.placed)
	_, err := other.open(other.hold("ENDED", order.ClaimCancel, 1))
	require.NoError(t, err)
	for _, no := range []string{"ENDED", "NEVER-OPENED"} {
		require.NoError(t, h.s.Release(t.Context(), no))
	}
	_, err = other.open(other.hold("ACTIVE", order.ClaimCancel, 1))
	require.NoError(t, err)
	for _, taken := range []string{"ACTIVE", "ENDED", "NEVER-OPENED", "C-1"} {
		h.unmoved(func() error {
			require.ErrorIs(t, h.convert(t.Context(), "C-1", taken, false, false), apierr.IdempotencyKeyReused, taken)
			return nil
		})
	}
	require.NoError(t, h.convert(t.Context(), "C-1", "R-1", false, false), "the exchange keeps its hold")
}

// Conversely, the number of a conversion opens nothing, neither for what the return holds nor for anything else.
func TestOpen_numberOfAConversion(t *testing.T) {
	t.Parallel()
	h := opened(t, order.ClaimExchange, 2)
	require.NoError(t, h.convert(t.Context(), "C-1", "R-1", false, false))
	free := h.hold("R-1", order.ClaimReturn, 1)
	free.Items[0].ItemID = h.id(2)
	requireRefused := func(hold *order.Hold, code apierr.Code, reason any) {
		t.Helper()
		h.unmoved(func() error {
			_, err := h.open(hold)
			require.ErrorIs(t, err, code)
			require.Equal(t, reason, apierr.From(err).Data["reason"])
			return nil
		})
	}
	requireRefused(h.hold("R-1", order.ClaimReturn, 2), apierr.OrderItemHasActiveClaim, nil)
	requireRefused(h.hold("R-1", order.ClaimExchange, 2), apierr.ClaimNotApprovable, "lines")
	requireRefused(free, apierr.ClaimNotApprovable, "lines")
	requireRefused(h.hold("C-1", order.ClaimExchange, 2), apierr.ClaimNotApprovable, "hold")
	require.NoError(t, h.s.Release(t.Context(), "R-1"))
	requireRefused(h.hold("R-1", order.ClaimReturn, 2), apierr.ClaimNotApprovable, "hold")
	requireRefused(free, apierr.ClaimNotApprovable, "hold")
}

// reshipping places an order of the first seller whose one item was delivered and is being exchanged, and returns a call about
// the replacing item.
func (h *shop) reshipping(orderNo string) order.ProcessCommand {
	h.t.Helper()
	own := *h
	own.no = orderNo
	own.placed = ordertest.New(orderNo, ordertest.Epoch, h.a)
	place(h.t, h.s, own.placed)
	h.must(own.ship(own.call(1), parcels[0]))
	h.must(own.deliver(own.call(1)))
	_, err := own.open(own.hold("C-"+orderNo, order.ClaimExchange, 1))
	require.NoError(h.t, err)
	added, err := h.addExchangeLine(h.t.Context(), "C-"+orderNo, []order.Replacement{{ItemID: own.id(1), Paid: 100}})
	require.NoError(h.t, err)
	return order.ProcessCommand{SellerID: h.a, OrderNo: orderNo, ItemIDs: []string{added.Items[0].ExchangeItemID.String()}}
}

// A customer never gets both the new goods and the money: either the replacing item is shipped or the exchange is converted to a
// return, whichever way the shipment is registered.
func TestShipExchangeLine_concurrentConversion(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	ways := []func(order.ProcessCommand) (order.ProcessResult, error){
		func(call order.ProcessCommand) (order.ProcessResult, error) { return h.ship(call, parcels[1]) },
		func(call order.ProcessCommand) (order.ProcessResult, error) {
			return h.inTx(func(ctx context.Context, tx postgres.Tx) (order.ProcessResult, error) {
				return h.s.Ship(ctx, tx, call, parcels[1])
			})
		},
	}
	const rounds = 24
	calls, shipping, converting := make([]order.ProcessCommand, rounds), make([]error, rounds), make([]error, rounds)
	for i := range calls {
		calls[i] = h.reshipping(fmt.Sprintf("RACE-%d", i))
	}
	var running sync.WaitGroup
	for i, call := range calls {
		running.Go(func() { _, shipping[i] = ways[i%len(ways)](call) })
		running.Go(func() { converting[i] = h.convert(t.Context(), "C-"+call.OrderNo, "R-"+call.OrderNo, false, false) })
	}
	running.Wait()
	for i, call := range calls {
		found, err := h.s.Find(t.Context(), h.a, call.OrderNo)
		require.NoError(t, err)
		if shipping[i] == nil {
			require.ErrorIs(t, converting[i], apierr.ClaimNotApprovable)
			require.Equal(t, "exchange_shipped", apierr.From(converting[i]).Data["reason"])
			require.Equal(t, order.Shipping, found.Items[1].State)
			continue
		}
		require.ErrorIs(t, shipping[i], apierr.ExchangeItemNotReshipping)
		require.NoError(t, converting[i])
		require.Equal(t, order.Canceled, found.Items[1].State)
	}
}

func TestConvert_concurrentWithSameNumber(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	for round := range 8 {
		first, second := h.reshipping(fmt.Sprintf("ONE-%d", round)), h.reshipping(fmt.Sprintf("TWO-%d", round))
		returnNo := fmt.Sprintf("R-%d", round)
		failures := make([]error, 2)
		var running sync.WaitGroup
		for i, call := range []order.ProcessCommand{first, second} {
			running.Go(func() { failures[i] = h.convert(t.Context(), "C-"+call.OrderNo, returnNo, false, false) })
		}
		running.Wait()
		if failures[0] != nil {
			failures[0], failures[1] = failures[1], failures[0]
		}
		require.NoError(t, failures[0])
		require.ErrorIs(t, failures[1], apierr.IdempotencyKeyReused)
	}
}
