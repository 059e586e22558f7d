package saga_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/services/claims/internal/claim"
)

// An exchange can be converted to a return in every state, also if the order is updated
// later.
func TestConvert_fromEveryState(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for at, want := range []claim.Status{claim.Requested, claim.Approved, claim.Collecting, claim.Collected, claim.Completed} {
		for _, away := range []bool{false, true} {
			b.pays.forget()
			c := b.advance(t, b.open(t, claim.Exchange), at)
			returnNo := "R-" + c.No
			if away { // the order is updated later, and the return must not be faster
				b.orders.Fail("Convert", rpctest.Once(rpctest.Fault{Unreachable: true}))
				_, err := b.saga.Convert(t.Context(), c.No, returnNo, "kim")
				require.ErrorIs(t, err, apierr.Unavailable)
				require.Equal(t, c.Status, b.get(t, c).Status)
				_, err = b.store.Get(t.Context(), b.seller, returnNo)
				require.ErrorIs(t, err, apierr.ClaimNotFound)
				b.heal(t)
			}
			got, err := b.saga.Convert(t.Context(), c.No, returnNo, "kim")
			require.NoError(t, err)
			require.Equal(t, want, got.Status)
			require.Equal(t, claim.ConvertedToReturn, b.get(t, c).Status)
			require.Empty(t, b.pending(t, c.No))
			require.Empty(t, b.pending(t, returnNo))
			if want != claim.Completed {
				require.Equal(t, returnNo, b.orders.Lines(c.OrderNo)[0].ClaimNo)
			} else {
				require.Equal(t, "canceled", b.orders.Lines(c.OrderNo)[1].State, "the replacement line")
				require.Equal(t, int64(10000), b.pays.total())
			}
			again, err := b.saga.Convert(t.Context(), c.No, returnNo, "kim")
			require.NoError(t, err)
			require.Equal(t, got, again)
		}
	}
}

func (b *fixture) shipOnTheOrdersSide(c claim.Claim) {
	b.orders.Ship(b.orders.Lines(c.OrderNo)[1].ID, parcel(hanjin))
}

// A sweep that converts the hold of the lines, or is refused, continues with the
// consequences, in both claims.
func TestConvert_carriedOutBySweep(t *testing.T) {
	t.Parallel()
	for name, shipped := range map[string]bool{"agreed": false, "refused": true} {
		b := setup(t)
		c := b.advance(t, b.open(t, claim.Exchange), 4)
		b.orders.Fail("Convert", rpctest.Always(rpctest.Fault{Unreachable: true}))
		_, err := b.saga.Convert(t.Context(), c.No, "R-"+c.No, "kim")
		require.ErrorIs(t, err, apierr.Unavailable, name)
		b.orders.Fail("Convert", nil)
		if shipped {
			b.shipOnTheOrdersSide(c)
		}
		steps := b.due(t, c.No)
		require.Len(t, steps, 1)
		err = b.saga.RunStep(t.Context(), steps[0])
		require.Equal(t, shipped, err != nil, name)
		require.Empty(t, b.pending(t, c.No), name)
		require.Empty(t, b.pending(t, "R-"+c.No), name)
		want := map[bool]claim.Status{false: claim.ConvertedToReturn, true: claim.Reshipping}[shipped]
		require.Equal(t, want, b.get(t, c).Status, name)
		require.Equal(t, shipped, b.pays.total() == 0, name)
	}
}

// A conversion that the orders service refuses is undone, and no money is paid: the
// exchange stays as it was.
func TestConvert_refusedByOrderIsTakenBack(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Exchange), 4)
	late := b.wanted(claim.Return)
	b.orders.Backdate(late.OrderNo, time.Now().AddDate(0, -1, 0), time.Now().AddDate(0, -1, 0))
	_, err := b.saga.Request(t.Context(), late)
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
	_, err = b.saga.Convert(t.Context(), c.No, late.No, "kim")
	require.ErrorIs(t, err, apierr.IdempotencyKeyReused, "the number belongs to a refused request")
	require.Equal(t, c, b.get(t, c))

	b.shipOnTheOrdersSide(c)
	_, err = b.saga.Convert(t.Context(), c.No, "R-"+c.No, "kim")
	require.ErrorIs(t, err, apierr.IdempotencyUnresolved)
	require.Equal(t, "exchange_shipped", apierr.From(err).Data["reason"])
	require.Zero(t, b.pays.total())
	_, err = b.act(t, c, claim.Reship, hanjin)
	require.NoError(t, err)
	b.requireDone(t, c)
}

// The return of a conversion cannot take the number of another claim.
func TestConvert_numberOfAnotherClaim(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, other := b.advance(t, b.open(t, claim.Exchange), 4), b.open(t, claim.Cancel)
	for _, taken := range []string{other.No, c.No} {
		_, err := b.saga.Convert(t.Context(), c.No, taken, "kim")
		require.ErrorIs(t, err, apierr.IdempotencyKeyReused)
		require.Equal(t, c, b.get(t, c))
	}
	_, err := b.saga.Convert(t.Context(), c.No, "R-"+c.No, "kim")
	require.NoError(t, err)
}

// Of two calls of one conversion, the slower one gets the result of the faster one from
// the orders service.
func TestConvert_doneConcurrently(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Exchange), 4)
	convert := func() {
		_, err := b.saga.Convert(t.Context(), c.No, "R-"+c.No, "kim")
		require.NoError(t, err)
	}
	b.orders.Fail("Convert", rpctest.Once(rpctest.Fault{Before: convert}))
	got, err := b.saga.Convert(t.Context(), c.No, "R-"+c.No, "lee")
	require.NoError(t, err)
	require.Equal(t, claim.Completed, got.Status)
	require.Equal(t, int64(10000), b.pays.total())
}

// A conversion to a return that could never complete is refused, because its refund would
// be lost.
func TestConvert_linesNotReturnable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Exchange), 4)
	b.orders.Force(c.Items[0].ItemID, "shipping")
	_, err := b.saga.Convert(t.Context(), c.No, "R-"+c.No, "kim")
	require.ErrorIs(t, err, apierr.IdempotencyUnresolved)
	require.Equal(t, claim.LinesNotHeld, apierr.From(err).Data["reason"])
	require.Equal(t, c, b.get(t, c))
	require.Zero(t, b.pays.total())
	require.Empty(t, b.pending(t, c.No))
}

// A conversion while the goods are on their way is refused, because the customer would
// have the goods and the money.
func TestConvert_goodsOnTheirWay(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Exchange), 4)
	b.shipOnTheOrdersSide(c)
	_, err := b.saga.Convert(t.Context(), c.No, "R-"+c.No, "kim")
	require.ErrorIs(t, err, apierr.IdempotencyUnresolved)
	require.Equal(t, "exchange_shipped", apierr.From(err).Data["reason"])
	require.Equal(t, c, b.get(t, c))
	b.orders.Fail("Convert", rpctest.Always(rpctest.Fault{Unreachable: true}))
	_, err = b.saga.Convert(t.Context(), c.No, "R-"+c.No, "kim")
	require.ErrorIs(t, err, apierr.Unavailable, "the result is unknown")
	require.Equal(t, c.UpdatedAt, b.get(t, c).UpdatedAt, "a registration is not visible")
	b.orders.Fail("Convert", nil)
	b.heal(t)
	require.Equal(t, c, b.get(t, c))
	_, err = b.act(t, c, claim.Reship, hanjin)
	require.NoError(t, err)
	b.requireDone(t, c)
}
