package store

import (
	"fmt"
	"sync"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
	"sellerapi.dev/services/orders/internal/ordertest"
)

// The two sellers of a mixed order, the home of the order and the other one, ship concurrently: each call sees what the other
// did, so that the status over all items is right for both, and they do not deadlock.
func TestShipAlone_sellersOfMixedOrder(t *testing.T) {
	t.Parallel()
	h := newShop(t)
	for round := range 20 {
		no := fmt.Sprintf("MIXED-%d", round)
		placed := ordertest.New(no, ordertest.Epoch, h.a, h.b)
		place(t, h.s, placed)
		failures := make([]error, len(placed.Parts))
		var running sync.WaitGroup
		for i, part := range placed.Parts {
			call := order.ProcessCommand{SellerID: part.SellerID, OrderNo: no, ItemIDs: []string{part.Lines[0].ID.String()}}
			running.Go(func() { _, failures[i] = h.s.ShipAlone(t.Context(), call, parcels[0]) })
		}
		running.Wait()
		require.Equal(t, make([]error, len(failures)), failures)
		for _, seller := range []uuid.UUID{h.a, h.b} {
			seen, err := h.s.Find(t.Context(), seller, no)
			require.NoError(t, err)
			require.Equal(t, order.StatusShipping, seen.Status)
			require.Equal(t, order.Shipping, seen.Items[0].State)
		}
	}
}
