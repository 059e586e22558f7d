package claim_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
)

func exchangeAt(t *testing.T, start claim.Claim, status claim.Status) claim.Claim {
	t.Helper()
	c := start
	for _, step := range []struct {
		action claim.Trigger
		values claim.Values
	}{{claim.Approve, claim.Values{}}, {claim.Pickup, hanjin}, {claim.CollectDone, claim.Values{}}, {claim.Inspect, pass}} {
		if c.Status == status {
			return c
		}
		if status == claim.Inspecting && c.Status == claim.Collected {
			return c.HoldInspection("kim", "look", now).Change.Next
		}
		c = do(t, c, step.action, step.values)
	}
	require.Equal(t, status, c.Status)
	return c
}

func converted(tb testing.TB, c claim.Claim, returnNo string) claim.Conversion {
	tb.Helper()
	d := c.RegisterConversion(returnNo, "kim", now)
	require.NoError(tb, d.Err)
	require.Equal(tb, []claim.Step{claim.ConvertLines}, d.Change.Steps)
	return d.Change.Next.Convert(claim.DefaultPolicy(claim.Won), around, now)
}

// The orders service may refuse a conversion: until it responds, no other action is possible, and after a refusal every action is
// that was possible before.
func TestConvert_registeredBlocksOtherActions(t *testing.T) {
	t.Parallel()
	c := in(t, claim.Exchange, claim.Reshipping)
	require.ErrorIs(t, c.Convert(claim.DefaultPolicy(claim.Won), around, now).Err, apierr.IdempotencyUnresolved,
		"nothing is registered")
	registered := c.RegisterConversion("C-2", "kim", now).Change.Next
	require.Equal(t, claim.Reshipping, registered.Status)
	require.True(t, registered.RegisterConversion("C-2", "lee", now).Resumed)
	require.ErrorIs(t, registered.RegisterConversion("C-3", "kim", now).Err, apierr.IdempotencyUnresolved)
	reship := claim.Decide(&registered, claim.Command{Action: claim.Reship, Values: hanjin, Actor: seller}, now)
	require.ErrorIs(t, reship.Err, apierr.IdempotencyUnresolved)

	back := registered.Abandon(*registered.Performed.Pending(), now).Change.Next
	require.Empty(t, back.ReplacedBy)
	require.Nil(t, back.Performed.Pending())
	reship = claim.Decide(&back, claim.Command{Action: claim.Reship, Values: hanjin, Actor: seller}, now)
	require.Equal(t, claim.Execute, reship.Verdict)
}

// The return of an exchange that had passed inspection would be paid at once, so a frozen one is not converted. Any other return
// inherits the freeze.
func TestConvert_frozenExchange(t *testing.T) {
	t.Parallel()
	frozen := func(status claim.Status) claim.Claim { return freeze(t, in(t, claim.Exchange, status), now) }
	passed := frozen(claim.Reshipping)
	refusal := passed.RegisterConversion("C-2", "kim", now).Err
	require.ErrorIs(t, refusal, apierr.IdempotencyUnresolved)
	require.Equal(t, "frozen", apierr.From(refusal).Data["reason"])
	for _, status := range []claim.Status{claim.Requested, claim.Approved, claim.Collecting, claim.Collected, claim.Inspecting} {
		require.Equal(t, claim.FreezeDispute, converted(t, frozen(status), "C-2").New.Next.Freeze.Code, status)
	}
}

// The return of a converted exchange starts in the state that fits the position of the goods.
func TestConvert_returnStartsWhereGoodsAre(t *testing.T) {
	t.Parallel()
	for from, to := range map[claim.Status]claim.Status{
		claim.Requested: claim.Requested, claim.Approved: claim.Approved, claim.Collecting: claim.Collecting,
		claim.Collected: claim.Collected, claim.Inspecting: claim.Collected, claim.Reshipping: claim.RefundProcessing,
	} {
		c := exchangeAt(t, opened(t, claim.Exchange), from)
		v := converted(t, c, "C-2")
		require.Equal(t, claim.Execute, v.Verdict, from)
		old, successor := v.Old.Next, v.New.Next
		require.Equal(t, claim.ConvertedToReturn, old.Status)
		require.Equal(t, now, *old.CompletedAt)
		require.Empty(t, v.Old.Steps)
		require.Nil(t, old.Performed.Of(claim.ConvertToReturn))
		require.Nil(t, successor.Performed.Of(claim.ConvertToReturn))
		require.Equal(t, to, successor.Status, from)
		require.Equal(t, []claim.Status{to}, v.New.Path)
		require.Equal(t, "C-2", old.ReplacedBy)
		require.Equal(t, "C-1", successor.Replaces)
		require.Nil(t, successor.CompletedAt)
		require.Equal(t, c.Performed.Done(claim.Pickup), successor.Performed.Done(claim.Pickup))
		require.Empty(t, successor.Items[0].ExchangeOptionName)
		require.Equal(t, c.Items[0].Goods, successor.Items[0].Goods)
		require.Equal(t, to == claim.Collected, successor.InspectionDueAt != nil)
		require.Equal(t, to == claim.RefundProcessing, len(v.New.Refunds) == 1)

		require.Equal(t, claim.AlreadyDone, old.Convert(claim.DefaultPolicy(claim.Won), around, now).Verdict)
		require.Equal(t, claim.AlreadyDone, old.RegisterConversion("C-2", "kim", now).Verdict)
		require.ErrorIs(t, old.RegisterConversion("C-3", "kim", now).Err, apierr.IdempotencyUnresolved)
	}
}

// A return that results from a conversion goes through its remaining actions like any other return.
func TestConvert_returnContinuesNormally(t *testing.T) {
	t.Parallel()
	c := exchangeAt(t, opened(t, claim.Exchange), claim.Collecting)
	r := converted(t, c, "C-2").New.Next
	d := claim.Decide(&r, claim.Command{Action: claim.Pickup, Values: hanjin, Actor: seller}, now)
	require.Equal(t, claim.AlreadyDone, d.Verdict, "the pickup was registered for these goods")
	r = do(t, do(t, r, claim.CollectDone, claim.Values{}), claim.Inspect, pass)
	require.Equal(t, claim.RefundProcessing, r.Status)
	require.Equal(t, r.Items[0].Goods, *r.Money.Refund)
}

// Whatever was paid and refunded for the exchange, the customer in total gets back the price of the goods less one return fee.
func TestConvert_refundsLikeAPlainReturn(t *testing.T) {
	t.Parallel()
	for _, newUnit := range []int64{0, 1000, 4000, 9000} {
		for _, reason := range claim.Reasons() {
			w := wanted(claim.Exchange, reason)
			w.Items[0].ExchangeUnitPrice = newUnit
			h := held()
			h.Lines[0].Paid = 40000
			opened, err := claim.Open(w, h, claim.DefaultPolicy(claim.Won), claim.DefaultPeriods(), now)
			require.NoError(t, err)
			c := opened.Next
			var paid, refunded int64
			if c.Status == claim.PaymentPending {
				paid = c.Money.Shortfall
				c = c.PayShortfall("P-1", paid, now).Change.Next
			}
			c = exchangeAt(t, c, claim.Reshipping)
			if c.Money.Refund != nil {
				refunded = *c.Money.Refund
			}
			v := converted(t, c, "C-2")
			for _, refund := range append(v.Old.Refunds, v.New.Refunds...) {
				refunded += refund.Amount
			}
			fee := int64(0)
			if reason.Fault() == claim.BuyerFault {
				fee = 3000
			}
			require.Equal(t, 20000-fee, refunded-paid, "%s %d", reason, newUnit)
		}
	}
}

// A converted return that is not inspected passes at its deadline.
func TestConvert_uninspectedReturnPasses(t *testing.T) {
	t.Parallel()
	c := exchangeAt(t, opened(t, claim.Exchange), claim.Inspecting)
	r := converted(t, c, "C-2").New.Next
	passing := r.PassUninspected(now.Add(72 * time.Hour)).Change.Next
	require.Equal(t, claim.RefundProcessing, confirmed(t, passing).Change.Next.Status)
}

// An exchange that promises a line to ship stops promising it before that line is canceled, and still continues as a return that
// refunds.
func TestConvert_leavesReshippingFirst(t *testing.T) {
	t.Parallel()
	c := exchangeAt(t, opened(t, claim.Exchange), claim.Reshipping)
	require.Equal(t, claim.AlreadyDone, c.LeaveReshipping("C-2", now).Verdict, "nothing is registered")
	registered := c.RegisterConversion("C-2", "kim", now).Change.Next
	require.Equal(t, claim.AlreadyDone, registered.LeaveReshipping("C-3", now).Verdict)
	left := registered.LeaveReshipping("C-2", now).Change
	require.Equal(t, []claim.Status{claim.Inspecting}, left.Path)
	require.Equal(t, claim.AlreadyDone, left.Next.LeaveReshipping("C-2", now).Verdict)
	require.True(t, left.Next.PaysAtOnce())
	require.True(t, left.Next.RegisterConversion("C-2", "kim", now).Resumed)
	pending, step := left.Next.Awaits()
	require.Equal(t, []any{claim.ConvertToReturn, claim.ConvertLines}, []any{pending.Action, step})
	for _, action := range claim.Actions() {
		d := claim.Decide(&left.Next, claim.Command{Action: action, Values: lotte, Actor: operator}, now)
		require.NotEqual(t, claim.Execute, d.Verdict, action)
	}
	require.ErrorIs(t, left.Next.HoldInspection("kim", "look", now).Err, apierr.IdempotencyUnresolved)
	v := left.Next.Convert(claim.DefaultPolicy(claim.Won), around, now)
	require.Equal(t, converted(t, c, "C-2").New, v.New, "as without the stop")
	require.Equal(t, claim.ConvertedToReturn, v.Old.Next.Status)
}
