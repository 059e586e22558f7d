package saga_test

import (
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/refund"
	"sellerapi.dev/services/claims/internal/store"
)

// A claim of each type ends with its last action, and repeating all actions changes nothing.
func TestPerform_lastActionEndsClaim(t *testing.T) {
	t.Parallel()
	for _, kind := range claim.Types() {
		b := setup(t)
		c := b.advance(t, b.open(t, kind), len(lives[kind]))
		require.Equal(t, claim.Completed, c.Status)
		b.requireDone(t, c)
		again := b.advance(t, b.get(t, c), len(lives[kind]))
		require.Equal(t, c.UpdatedAt, again.UpdatedAt, "repetitions change nothing")
		b.requireDone(t, c)
	}
}

// While a claim is in a state, its order is already in the state that this implies, with a later updated_at than before.
func TestPerform_orderChangesBeforeClaim(t *testing.T) {
	t.Parallel()
	b := setup(t)
	act := func(action claim.Trigger, values claim.Values) func(claim.Claim) error {
		return func(c claim.Claim) error { _, err := b.act(t, c, action, values); return err }
	}
	withdraw := func(c claim.Claim) error { _, err := b.saga.Withdraw(t.Context(), c.No); return err }
	due := func(c claim.Claim) store.DueClaim { return store.DueClaim{SellerID: b.seller, ClaimNo: c.No} }
	pass3 := func(c claim.Claim) error { b.overdue(t); return b.saga.PassUninspected(t.Context(), due(c)) }
	for _, row := range []struct {
		procedure string
		kind      claim.Type
		at        int
		do        func(claim.Claim) error
		shown     claim.Status
	}{
		{"Touch", claim.Return, 0, act(claim.Approve, claim.Values{}), claim.Requested},
		{"Touch", claim.Exchange, 1, act(claim.Pickup, hanjin), claim.Approved},
		{"Touch", claim.Return, 2, act(claim.CollectDone, claim.Values{}), claim.Collecting},
		{"Settle", claim.Cancel, 0, act(claim.Approve, claim.Values{}), claim.RefundProcessing},
		{"Seal", claim.Cancel, 0, act(claim.Approve, claim.Values{}), claim.Requested},
		{"Seal", claim.Return, 3, act(claim.Inspect, pass), claim.Collected},
		{"Seal", claim.Return, 3, pass3, claim.Collected},
		{"AddExchangeLine", claim.Exchange, 3, act(claim.Inspect, pass), claim.Collected},
		{"ShipExchangeLine", claim.Exchange, 4, act(claim.Reship, hanjin), claim.Reshipping},
		{"Release", claim.Cancel, 0, act(claim.Reject, memo), claim.Requested},
		{"Release", claim.Return, 3, act(claim.Inspect, fail), claim.Collected},
		{"Release", claim.Exchange, 1, withdraw, claim.Approved},
	} {
		c := b.advance(t, b.open(t, row.kind), row.at)
		stamp := b.orders.UpdatedAt(c.OrderNo)
		var seen []claim.Claim
		b.orders.Fail(row.procedure, rpctest.Once(rpctest.Fault{After: func() {
			seen = append(seen, b.get(t, c))
			require.Greater(t, b.orders.UpdatedAt(c.OrderNo), stamp, row)
		}}))
		require.NoError(t, row.do(c), row)
		require.Len(t, seen, 1, row)
		require.Equal(t, row.shown, seen[0].Status, row)
		require.Equal(t, row.procedure == "Settle", seen[0].Money.Refund != nil, "the refund starts with the state")
		require.NotEqual(t, row.shown, b.get(t, c).Status, row)
		require.Empty(t, b.pending(t, c.No))
		b.orders.Fail(row.procedure, nil)
	}
	c := b.shortfall(t)
	b.exec(t, "update claims set payment_due_at = clock_timestamp() - interval '1 second' where payment_due_at is not null")
	b.orders.Fail("Release", rpctest.Once(rpctest.Fault{After: func() {
		require.Equal(t, claim.PaymentPending,
			b.get(t, c).Status)
	}}))
	require.NoError(t, b.saga.ExpirePayment(t.Context(), due(c)))
	require.Equal(t, claim.Expired, b.get(t, c).Status)
}

// One decision under the lock, one registration, one step: a passed inspection that refunds at once makes two calls to the orders
// service, one for each change of the claim.
func TestInspect_twoCallsToOrders(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Return), 3)
	b.orders.Fail(rpctest.Any, nil) // counts from here
	c, err := b.act(t, c, claim.Inspect, pass)
	require.NoError(t, err)
	require.Equal(t, map[string]int{"Seal": 1, "Settle": 1}, b.orders.Calls())
	b.requireDone(t, c)
}

// Each transaction reads and locks its claim in one round trip, writes in another and commits: an inspection that passes and
// refunds at once costs at most 25 round trips to the databases of both services.
func TestInspect_roundTrips(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.advance(t, b.open(t, claim.Return), 4) // prepares the statements
	b.pays.forget()
	c := b.advance(t, b.open(t, claim.Return), 3)
	claims, orders := b.trips.Trips(), b.orders.Trips()
	c, err := b.act(t, c, claim.Inspect, pass)
	require.NoError(t, err)
	claims, orders = b.trips.Trips()-claims, b.orders.Trips()-orders
	t.Logf("claims: %d, orders: %d", claims, orders)
	require.LessOrEqual(t, claims+orders, 25)
	b.requireDone(t, c)
}

// A step that is left of a withdrawn action does nothing.
func TestStep_nothingWaitsForIt(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.open(t, claim.Return)
	b.exec(t, "insert into steps (seller_id, claim_no, name, ref, step_id) values ($1, $2, 'release-lines', '', $3)",
		b.seller, c.No, uuid.New())
	b.heal(t)
	require.Equal(t, c.No, b.orders.Lines(c.OrderNo)[0].ClaimNo, "the claim is not completed")
	require.Empty(t, b.pending(t, c.No))
}

// An end is not reported before it is true: the same call, and then the sweep, updates the order, and only once.
func TestEnd_503OrderDidNotHear(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, end := range map[string]func(claim.Claim) (claim.Claim, error){
		"reject":   func(c claim.Claim) (claim.Claim, error) { return b.act(t, c, claim.Reject, memo) },
		"withdraw": func(c claim.Claim) (claim.Claim, error) { return b.saga.Withdraw(t.Context(), c.No) },
	} {
		for _, fault := range []rpctest.Fault{{Unreachable: true}, {Drop: true}} {
			for _, swept := range []bool{true, false} {
				c := b.open(t, claim.Return)
				b.orders.Fail("Release", rpctest.Always(fault))
				_, err := end(c)
				require.ErrorIs(t, err, apierr.Unavailable, name)
				require.Equal(t, claim.Requested, b.get(t, c).Status)
				_, err = b.act(t, c, claim.Approve, claim.Values{})
				require.ErrorIs(t, err, apierr.IdempotencyUnresolved, name)
				b.orders.Fail("Release", nil)
				if swept {
					b.heal(t)
				}
				ended, err := end(c)
				require.NoError(t, err, name)
				require.True(t, ended.Status.Terminal())
				require.Empty(t, b.orders.Lines(c.OrderNo)[0].ClaimNo)
				require.Empty(t, b.pending(t, c.No))
			}
		}
	}
}

// From the decision on, no change of the order by an operator can lead to a refund without the goods.
func TestSeal_keepsOperatorsAway(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, kind := range []claim.Type{claim.Cancel, claim.Return, claim.Exchange} {
		c := b.open(t, kind)
		state := b.orders.Lines(c.OrderNo)[0].State
		correct := func() error { return b.orders.Correct(c.Items[0].ItemID, state) }
		var decided error
		procedure := "Seal"
		if kind == claim.Exchange {
			procedure = "AddExchangeLine"
		}
		b.orders.Fail(procedure, rpctest.Once(rpctest.Fault{After: func() { decided = correct() }}))
		require.NoError(t, correct(), "nothing is decided")
		b.advance(t, c, len(lives[kind]))
		require.ErrorIs(t, decided, apierr.OrderItemHasActiveClaim)
		require.Equal(t, c.No, apierr.From(decided).Data["claim_no"])
	}
	c := b.advance(t, b.open(t, claim.Exchange), 4)
	b.pays.tell(func(int) (refund.Result, error) { return refund.Result{Trigger: refund.Accepted}, nil })
	_, err := b.saga.Convert(t.Context(), c.No, "R-"+c.No, "kim")
	require.NoError(t, err)
	require.True(t, b.orders.Hold("R-"+c.No).Sealed)
	early := b.advance(t, b.open(t, claim.Exchange), 1)
	_, err = b.saga.Convert(t.Context(), early.No, "R-"+early.No, "kim")
	require.NoError(t, err)
	require.False(t, b.orders.Hold("R-"+early.No).Sealed)
}

// The state of the order refuses an action that the claim itself would allow, and then nothing has changed, updated_at
// included; a rejection does not depend on the order.
func TestPerform_409LinesGone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, c := range []struct {
		kind claim.Type
		at   int
		code apierr.Code
	}{
		{claim.Cancel, 0, apierr.ClaimNotApprovable},
		{claim.Return, 0, apierr.ClaimNotApprovable},
		{claim.Return, 1, apierr.ClaimNotCollectable},
		{claim.Return, 2, apierr.ClaimNotCollectDone},
		{claim.Return, 3, apierr.ClaimNotInspectable},
		{claim.Exchange, 0, apierr.ClaimNotApprovable},
		{claim.Exchange, 3, apierr.ClaimNotInspectable},
		{claim.Exchange, 4, apierr.ClaimNotReshippable},
	} {
		b.pays.forget()
		opened := b.advance(t, b.open(t, c.kind), c.at)
		b.orders.Force(opened.Items[0].ItemID, "shipping")
		next, stamp := lives[c.kind][c.at], b.orders.UpdatedAt(opened.OrderNo)
		_, err := b.act(t, opened, next.action, next.values)
		require.ErrorIs(t, err, c.code)
		require.NotEmpty(t, apierr.From(err).Data["reason"])
		require.Equal(t, opened.Status, apierr.From(err).Data["status"])
		require.Equal(t, opened, b.get(t, opened))
		require.Empty(t, b.pending(t, opened.No))
		require.Equal(t, stamp, b.orders.UpdatedAt(opened.OrderNo))
		require.Zero(t, b.pays.total())

		b.orders.Force(opened.Items[0].ItemID, map[bool]string{true: "paid", false: "delivered"}[c.kind == claim.Cancel])
		_, err = b.act(t, opened, next.action, next.values)
		require.NoError(t, err, "the order was corrected back")
	}
	c := b.open(t, claim.Return)
	b.orders.Release(c.No)
	_, err := b.act(t, c, claim.Approve, claim.Values{})
	require.ErrorIs(t, err, apierr.ClaimNotApprovable)
	rejected, err := b.act(t, c, claim.Reject, memo)
	require.NoError(t, err)
	require.Equal(t, claim.Rejected, rejected.Status)
}

// Money and goods do not move while the orders service cannot say whether they may; what is registered completes by itself.
func TestPerform_ordersUnreachable(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, other := b.open(t, claim.Cancel), b.open(t, claim.Return)
	b.orders.Fail(rpctest.Any, rpctest.Always(rpctest.Fault{Unreachable: true}))
	_, err := b.act(t, c, claim.Approve, claim.Values{})
	require.ErrorIs(t, err, apierr.Unavailable)
	require.Equal(t, []any{c.Status, c.UpdatedAt}, []any{b.get(t, c).Status, b.get(t, c).UpdatedAt}, "a registration is not visible")
	require.Equal(t, []claim.Step{claim.SealLines}, b.pending(t, c.No))
	require.Zero(t, b.pays.total())

	_, err = b.act(t, other, claim.Reject, memo)
	require.ErrorIs(t, err, apierr.Unavailable, "the lines are still held")
	require.Equal(t, other.Status, b.get(t, other).Status)
	require.Equal(t, []claim.Step{claim.ReleaseLines}, b.pending(t, other.No))
	require.Equal(t, other.No, b.orders.Lines(other.OrderNo)[0].ClaimNo)
	b.orders.Fail(rpctest.Any, nil)
	b.heal(t)
	require.Empty(t, b.orders.Lines(other.OrderNo)[0].ClaimNo)
	require.Equal(t, claim.Rejected, b.get(t, other).Status)
	_, err = b.act(t, c, claim.Approve, claim.Values{})
	require.NoError(t, err)
	b.requireDone(t, c)
}

func TestReship_409LineNotShippedYet(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Exchange), 4)
	standIn := b.orders.Lines(c.OrderNo)[1].ID
	// The new line was shipped, arrived and got a claim of its own, and was then corrected as not shipped: that claim blocks the
	// reshipment.
	b.orders.Ship(standIn, parcel(lotte))
	require.NoError(t, b.orders.Correct(standIn, "delivered"))
	other, err := b.saga.Request(t.Context(), claim.Wanted{
		No: c.No + "-2", OrderNo: c.OrderNo, SellerID: b.seller, Type: claim.Return, Reason: claim.Defective,
		Items: []claim.WantedItem{{ItemID: standIn, Quantity: 1}},
	})
	require.NoError(t, err)
	require.NoError(t, b.orders.Correct(standIn, "paid"))
	touches := b.orders.Touches(c.No)
	_, err = b.act(t, c, claim.Reship, hanjin)
	require.ErrorIs(t, err, apierr.ExchangeItemShipFailed)
	require.Equal(t, touches+1, b.orders.Touches(c.No), "the claim has the parcel, and its order is touched")
	b.orders.Release(other.No)
	for name, fault := range map[string]rpctest.Fault{"unreachable": {Unreachable: true}, "dropped": {Drop: true}} {
		b.orders.Fail(rpctest.Any, rpctest.Always(fault))
		_, err := b.act(t, c, claim.Reship, hanjin)
		require.ErrorIs(t, err, apierr.ExchangeItemShipFailed, name)
		require.Equal(t, claim.Reshipping, b.get(t, c).Status)
		require.True(t, b.get(t, c).Performed.Of(claim.Reship).Pending)
		_, err = b.act(t, c, claim.Reship, lotte)
		require.ErrorIs(t, err, apierr.IdempotencyUnresolved, "registered with other values")
		require.Equal(t, []claim.Step{claim.ShipExchangeLine}, b.pending(t, c.No))
	}
	b.orders.Fail(rpctest.Any, nil)
	done, err := b.act(t, c, claim.Reship, hanjin)
	require.NoError(t, err)
	require.Equal(t, claim.Completed, done.Status)
	b.requireDone(t, done)
}

// The orders service has shipped the line in another parcel: a reshipment in this parcel is impossible, one in the other parcel
// is not.
func TestReship_409OtherParcel(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Exchange), 4)
	standIn := b.orders.Lines(c.OrderNo)[1].ID
	b.orders.Ship(standIn, parcel(lotte))
	_, err := b.act(t, c, claim.Reship, hanjin)
	require.ErrorIs(t, err, apierr.ClaimNotReshippable)
	require.Equal(t, "parcel", apierr.From(err).Data["reason"])
	require.Equal(t, c, b.get(t, c))
	done, err := b.act(t, c, claim.Reship, lotte)
	require.NoError(t, err)
	require.Equal(t, claim.Completed, done.Status)
}

// A reshipment whose parcel was shown, because it had to wait, and that the order refuses later is undone with a later
// updated_at.
func TestPerform_409OrderRefusesLate(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Exchange), 4)
	b.orders.Fail("ShipExchangeLine", rpctest.Once(rpctest.Fault{Unreachable: true}))
	_, err := b.act(t, c, claim.Reship, hanjin)
	require.ErrorIs(t, err, apierr.ExchangeItemShipFailed)
	shown := b.get(t, c)
	require.Greater(t, shown.UpdatedAt, c.UpdatedAt)
	require.Equal(t, hanjin, shown.Performed.Shown(claim.Reship).Values)
	b.orders.Force(c.Items[0].ItemID, "shipping")
	_, err = b.act(t, c, claim.Reship, hanjin)
	require.ErrorIs(t, err, apierr.ClaimNotReshippable)
	after := b.get(t, c)
	require.Greater(t, after.UpdatedAt, shown.UpdatedAt)
	after.UpdatedAt = c.UpdatedAt
	require.Equal(t, c, after)
	require.Empty(t, b.pending(t, c.No))
	b.orders.Force(c.Items[0].ItemID, "delivered")
	_, err = b.act(t, c, claim.Reship, hanjin)
	require.NoError(t, err)
}

// If the orders service refuses an inspection for any reason, the refusal is final: the inspection can then only fail, so that
// the customer gets a result.
func TestInspect_409OrderFindsMalformed(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.wanted(claim.Exchange)
	w.Items[0].ExchangeOptionName = "블랙\t/ L"
	c, err := b.saga.Request(t.Context(), w)
	require.NoError(t, err)
	c = b.advance(t, c, 3)
	_, err = b.act(t, c, claim.Inspect, pass)
	require.ErrorIs(t, err, apierr.ClaimNotInspectable)
	require.Empty(t, b.pending(t, c.No))
	failed, err := b.act(t, c, claim.Inspect, fail)
	require.NoError(t, err)
	require.Equal(t, claim.Rejected, failed.Status)
}

// The parcel is on its way, so an operator's freeze comes too late for it; new actions are blocked.
func TestFreeze_registeredReshipmentGoesOn(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Exchange), 4)
	b.orders.Fail("ShipExchangeLine", rpctest.Always(rpctest.Fault{Unreachable: true}))
	for range 2 {
		_, err := b.act(t, c, claim.Reship, hanjin)
		require.ErrorIs(t, err, apierr.ExchangeItemShipFailed)
		_, err = b.saga.Freeze(t.Context(), c.No, "kim", claim.FreezeDispute, "customer called")
		require.NoError(t, err)
	}
	b.orders.Fail("ShipExchangeLine", nil)
	done, err := b.act(t, c, claim.Reship, hanjin)
	require.NoError(t, err)
	require.Equal(t, claim.Completed, done.Status)
	b.requireDone(t, c)
}

func TestInspect_503OrderDidNotHear(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, by := range []string{"the same call", "a job"} {
		c := b.advance(t, b.open(t, claim.Exchange), 3)
		b.orders.Fail("AddExchangeLine", rpctest.Always(rpctest.Fault{Drop: true}))
		_, err := b.act(t, c, claim.Inspect, pass)
		require.ErrorIs(t, err, apierr.Unavailable)
		require.Equal(t, claim.Collected, b.get(t, c).Status)
		_, err = b.act(t, c, claim.Inspect, fail)
		require.ErrorIs(t, err, apierr.IdempotencyUnresolved)
		b.orders.Fail("AddExchangeLine", nil)
		if by == "a job" {
			b.heal(t)
		}
		got, err := b.act(t, c, claim.Inspect, pass)
		require.NoError(t, err)
		require.Equal(t, claim.Reshipping, got.Status)
		require.Len(t, b.orders.Lines(c.OrderNo), 2, "one replacement line")
	}
}
