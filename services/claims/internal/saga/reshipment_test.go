package saga_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/services/claims/internal/claim"
)

// The reshipment of a parcel that was never handed over is canceled with its
// reason in the history, whatever call fails.
func TestCancelReshipment_neverShips(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]rpctest.Fault{"plain": {}, "response lost": {Drop: true}} {
		b := setup(t)
		c := b.advance(t, b.open(t, claim.Exchange), 4)
		_, err := b.saga.CancelReshipment(t.Context(), c.No, "kim", "lost")
		require.ErrorIs(t, err, apierr.IdempotencyUnresolved, name)
		b.orders.Fail("ShipExchangeLine", rpctest.Always(rpctest.Fault{Unreachable: true}))
		_, err = b.act(t, c, claim.Reship, hanjin)
		require.ErrorIs(t, err, apierr.ExchangeItemShipFailed)
		b.orders.Fail("CancelReshipment", rpctest.Once(fault))
		if _, err = b.saga.CancelReshipment(t.Context(), c.No, "kim", "lost"); fault.Drop {
			require.Error(t, err)
			b.orders.Fail("ShipExchangeLine", nil)
			b.heal(t) // the orders service refuses to ship what was canceled
		}
		for range 2 {
			canceled, err := b.saga.CancelReshipment(t.Context(), c.No, "kim", "lost")
			require.NoError(t, err, name)
			require.Equal(t, claim.Reshipping, canceled.Status)
			require.Nil(t, canceled.Performed.Of(claim.Reship))
		}
		var rows int
		require.NoError(t, b.Pool.QueryRow(t.Context(),
			"select count(*) from history where trigger = 'cancel-reshipment' and actor_name = 'kim' and memo = 'lost'").Scan(&rows))
		require.Equal(t, 1, rows, name)
		b.orders.Fail("ShipExchangeLine", nil)
		b.heal(t)
		require.Equal(t, "paid", b.orders.Lines(c.OrderNo)[1].State, name)
		done, err := b.act(t, c, claim.Reship, hanjin)
		require.NoError(t, err, name)
		b.requireDone(t, done)
		_, err = b.saga.CancelReshipment(t.Context(), c.No, "kim", "lost")
		require.ErrorIs(t, err, apierr.IdempotencyUnresolved, name)
	}
}

// A reshipment that was shipped cannot be canceled, even while the claim has
// not recorded it.
func TestCancelReshipment_409Shipped(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Exchange), 4)
	b.orders.Fail("ShipExchangeLine", rpctest.Always(rpctest.Fault{Drop: true}))
	_, err := b.act(t, c, claim.Reship, hanjin)
	require.ErrorIs(t, err, apierr.ExchangeItemShipFailed)
	_, err = b.saga.CancelReshipment(t.Context(), c.No, "kim", "lost")
	require.ErrorIs(t, err, apierr.ClaimNotReshippable)
	require.Equal(t, "shipped", apierr.From(err).Data["reason"])
	// Meanwhile an operator has corrected the parcel to another one.
	b.orders.CorrectParcel(b.orders.Lines(c.OrderNo)[1].ID, carrier.Shipment{Carrier: carrier.Hanjin, TrackingNo: "412345678902"})
	b.orders.Fail("ShipExchangeLine", nil)
	b.heal(t)
	b.requireDone(t, c)
}
