package saga_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/services/claims/internal/claim"
)

// Of two concurrent calls, the first is registered and the second finds it so: it gets no response that would be stored for a
// day, unless both do the same.
func TestPerform_overtakenByOtherCall(t *testing.T) {
	t.Parallel()
	b := setup(t)
	overtaken := func(kind claim.Type, procedure string, other call) (answer claim.Claim, err error) {
		c, ended := b.open(t, kind), make(chan error, 1)
		b.orders.Fail(procedure, rpctest.Once(rpctest.Fault{Before: func() {
			_, err := b.act(t, c, other.action, other.values)
			ended <- err
		}}))
		answer, err = b.act(t, c, claim.Approve, claim.Values{})
		require.NoError(t, err)
		return answer, <-ended
	}
	for _, kind := range []claim.Type{claim.Return, claim.Exchange} {
		approved, err := overtaken(kind, "Touch", call{claim.Reject, memo})
		require.Equal(t, claim.Approved, approved.Status, kind)
		require.ErrorIs(t, err, apierr.IdempotencyUnresolved, kind)
		require.Equal(t, claim.Requested, apierr.From(err).Data["status"])
	}
	completed, err := overtaken(claim.Cancel, "Seal", call{claim.Approve, claim.Values{}})
	require.NoError(t, err, "approved by the other call")
	require.Equal(t, claim.Completed, completed.Status)
}

// An action that waits for a lock until the claim has reached its starting state is registered then, and the order refuses it.
func TestPerform_claimMovedToItsStart(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.shortfall(t)
	require.NoError(t, b.orders.Correct(c.Items[0].ItemID, "shipping"))
	paying, err := b.Pool.Begin(t.Context())
	require.NoError(t, err)
	_, err = paying.Exec(t.Context(), `update claims set status = 'requested', payment_due_at = null, shortfall_paid =
		shortfall_amount,
		shortfall_payment = 'P-1' where claim_no = $1`, c.No)
	require.NoError(t, err)
	answered := make(chan error, 1)
	go func() {
		_, err := b.act(t, c, claim.Approve, claim.Values{})
		answered <- err
	}()
	require.Eventually(t, func() bool {
		var waiting bool
		err := b.Pool.QueryRow(t.Context(), "select exists (select from pg_stat_activity where $1 = any(pg_blocking_pids(pid)))",
			paying.Conn().PgConn().PID()).Scan(&waiting)
		return err == nil && waiting
	}, time.Minute, 5*time.Millisecond)
	require.NoError(t, paying.Commit(t.Context()))
	err = <-answered
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
	require.Equal(t, "lines_not_held", apierr.From(err).Data["reason"])
	require.Equal(t, claim.Requested, b.get(t, c).Status)
}

// A late refusal applies to the registration for which it was requested: the next one, with another parcel, stays, and in the
// end the claim agrees with the orders service, which has shipped that parcel.
func TestReship_lateRefusalSparesNextParcel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Exchange), 4)
	correct := func(status string) { b.orders.Force(c.Items[0].ItemID, status) }
	// The first call and then a sweep are refused, the sweep is faster, and the seller sends the other parcel.
	overtaken := func() {
		_, err := b.act(t, c, claim.Reship, hanjin)
		require.ErrorIs(t, err, apierr.ClaimNotReshippable)
		correct("delivered")
		_, err = b.act(t, c, claim.Reship, lotte)
		require.ErrorIs(t, err, apierr.ExchangeItemShipFailed)
	}
	correct("shipping")
	b.orders.Fail("ShipExchangeLine", func(call int) rpctest.Fault {
		return map[int]rpctest.Fault{1: {After: overtaken}, 3: {Drop: true}}[call]
	})
	_, err := b.act(t, c, claim.Reship, hanjin)
	require.ErrorIs(t, err, apierr.IdempotencyUnresolved)
	b.heal(t)
	require.Equal(t, lotte, b.get(t, c).Performed.Done(claim.Reship).Values)
	b.requireDone(t, c)
}

// Of two equal calls at the same time, the one that registered the reshipment says that it was not done before, even if the other
// one, which was refused because a claim held the line, asked the orders service first.
func TestReship_registeredAndOvertaken(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Exchange), 4)
	standIn := b.orders.Lines(c.OrderNo)[1].ID
	b.orders.Ship(standIn, parcel(lotte))
	require.NoError(t, b.orders.Correct(standIn, "delivered"))
	other, err := b.saga.Request(t.Context(), claim.Wanted{
		No: c.No + "-2", OrderNo: c.OrderNo, SellerID: b.seller, Type: claim.Return, Reason: claim.Defective,
		Items: []claim.WantedItem{{ItemID: standIn, Quantity: 1}},
	})
	require.NoError(t, err)
	require.NoError(t, b.orders.Correct(standIn, "paid"))
	overtaken := func() {
		_, err := b.act(t, c, claim.Reship, hanjin)
		require.ErrorIs(t, err, apierr.ExchangeItemShipFailed)
		_, err = b.act(t, other, claim.Reject, claim.Values{Memo: "not defective"})
		require.NoError(t, err)
	}
	b.orders.Fail("ShipExchangeLine", func(call int) rpctest.Fault {
		return map[int]rpctest.Fault{1: {Before: overtaken}}[call]
	})
	done, already, err := b.saga.Perform(t.Context(), b.seller, c.No,
		claim.Command{Action: claim.Reship, Values: hanjin, Actor: claim.Actor{Kind: claim.ByAPI, Name: "key-1"}})
	require.NoError(t, err)
	require.False(t, already)
	require.Equal(t, claim.Completed, done.Status)
	b.requireDone(t, done)
}
