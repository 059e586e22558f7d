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

func (b *fixture) shortfall(t *testing.T) claim.Claim {
	t.Helper()
	w := b.wanted(claim.Exchange)
	w.Items[0].ExchangeUnitPrice = 6000
	c, err := b.saga.Request(t.Context(), w)
	require.NoError(t, err)
	require.Equal(t, claim.PaymentPending, c.Status)
	return c
}

func TestShortfall_paidOnceAndRefunded(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.shortfall(t)
	for range 2 {
		paid, err := b.saga.PayShortfall(t.Context(), c.No, "P-1", 2000)
		require.NoError(t, err)
		require.Equal(t, claim.Requested, paid.Status)
	}
	_, err := b.saga.PayShortfall(t.Context(), c.No, "P-2", 2000)
	require.ErrorIs(t, err, apierr.IdempotencyUnresolved)
	for range 2 {
		withdrawn, err := b.saga.Withdraw(t.Context(), c.No)
		require.NoError(t, err)
		require.Equal(t, claim.Withdrawn, withdrawn.Status)
	}
	require.Equal(t, int64(2000), b.pays.total())
	require.Empty(t, b.orders.Lines(c.OrderNo)[0].ClaimNo)
	require.Empty(t, b.pending(t, c.No))
}

// An exchange completes with its reshipment and does not wait for the refund of the difference, which is paid separately.
func TestExchange_refundsBesideReshipment(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.wanted(claim.Exchange)
	w.Items[0].ExchangeUnitPrice = 4000
	c, err := b.saga.Request(t.Context(), w)
	require.NoError(t, err)
	b.pays.tell(func(asked int) (refund.Result, error) {
		if asked == 1 {
			return refund.Result{Trigger: claim.NeedAccount}, nil
		}
		return refund.Result{Trigger: claim.Succeed}, nil
	})
	c = b.advance(t, c, 5)
	require.Equal(t, claim.Completed, c.Status, "the exchange does not wait for the refund")
	require.Zero(t, b.pays.total())
	b.heal(t)
	require.Equal(t, int64(2000), b.pays.total())
	require.Equal(t, int64(8000), b.orders.Lines(c.OrderNo)[1].Paid)
}

// An unpaid shortfall expires at its time and not before.
func TestExpirePayment_notBeforeItsTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.shortfall(t)
	due := store.DueClaim{SellerID: b.seller, ClaimNo: c.No}
	require.NoError(t, b.saga.ExpirePayment(t.Context(), due))
	require.Equal(t, claim.PaymentPending, b.get(t, c).Status)
	_, err := b.Pool.Exec(t.Context(), "update claims set payment_due_at = clock_timestamp() - interval '1 second'")
	require.NoError(t, err)
	for range 2 {
		require.NoError(t, b.saga.ExpirePayment(t.Context(), due))
		require.Equal(t, claim.Expired, b.get(t, c).Status)
	}
	require.Empty(t, b.orders.Lines(c.OrderNo)[0].ClaimNo)
}

// The customer's payment arrives while the claim ends: it is refunded once, in whatever order the two happen.
func TestShortfall_paidWhileEnding(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, end := range map[string]func(c claim.Claim) error{
		"withdraw": func(c claim.Claim) error { _, err := b.saga.Withdraw(t.Context(), c.No); return err },
		"expire": func(c claim.Claim) error {
			b.exec(t, "update claims set payment_due_at = clock_timestamp() - interval '1 second' where payment_due_at is not null")
			return b.saga.ExpirePayment(t.Context(), store.DueClaim{SellerID: b.seller, ClaimNo: c.No})
		},
	} {
		b.pays.forget()
		c := b.shortfall(t)
		b.orders.Fail("Release", rpctest.Always(rpctest.Fault{Unreachable: true}))
		_ = end(c)
		for range 2 {
			_, err := b.saga.PayShortfall(t.Context(), c.No, "P-"+name, 2000)
			require.ErrorIs(t, err, apierr.Unavailable, name)
		}
		require.Zero(t, b.pays.total(), name)
		b.orders.Fail("Release", nil)
		b.heal(t)
		require.True(t, b.get(t, c).Status.Terminal(), name)
		require.Equal(t, int64(2000), b.pays.total(), name)
	}
}

// A payment that is reported again while the claim ends gets the claim's end as its answer, never a paid claim that waits for its
// payment: that state exists at no moment.
func TestShortfall_repeatedWhileEnding(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.shortfall(t)
	b.orders.Fail("Release", rpctest.Always(rpctest.Fault{Unreachable: true}))
	_, err := b.saga.Withdraw(t.Context(), c.No)
	require.ErrorIs(t, err, apierr.Unavailable)
	_, err = b.saga.PayShortfall(t.Context(), c.No, "P-1", 2000)
	require.ErrorIs(t, err, apierr.Unavailable, "recorded, and the end is not known yet")
	b.orders.Fail("Release", nil)
	for range 2 {
		paid, err := b.saga.PayShortfall(t.Context(), c.No, "P-1", 2000)
		require.NoError(t, err)
		require.Equal(t, claim.Withdrawn, paid.Status)
	}
	require.Equal(t, int64(2000), b.pays.total())
}

// collected returns a return whose goods have arrived, and what a sweep finds of it.
func (b *fixture) collected(t *testing.T) (claim.Claim, store.DueClaim) {
	t.Helper()
	c := b.advance(t, b.open(t, claim.Return), 3)
	return c, store.DueClaim{SellerID: b.seller, ClaimNo: c.No}
}

func (b *fixture) overdue(t *testing.T) {
	t.Helper()
	_, err := b.Pool.Exec(t.Context(),
		"update claims set inspection_due_at = clock_timestamp() - interval '1 second' where inspection_due_at is not null")
	require.NoError(t, err)
}

// A return that is not inspected passes at its deadline and then counts as inspected.
func TestPassUninspected_atItsTime(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, due := b.collected(t)
	require.NoError(t, b.saga.PassUninspected(t.Context(), due))
	require.Equal(t, claim.Collected, b.get(t, c).Status)
	b.overdue(t)
	b.orders.Fail("Seal", rpctest.Once(rpctest.Fault{Unreachable: true}))
	for range 2 {
		require.NoError(t, b.saga.PassUninspected(t.Context(), due))
		require.Equal(t, []claim.Step{claim.SealLines}, b.pending(t, c.No), "it is registered")
	}
	b.heal(t)
	b.requireDone(t, c)
	_, err := b.act(t, c, claim.Inspect, pass)
	require.NoError(t, err, "the claim counts as inspected")
}

// The timer has no caller to refuse, and no money may move: the claim is stopped for an operator.
func TestPassUninspected_linesGone(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c, due := b.collected(t)
	b.overdue(t)
	require.NoError(t, b.orders.Correct(c.Items[0].ItemID, "shipping"))
	require.NoError(t, b.saga.PassUninspected(t.Context(), due))
	frozen := b.get(t, c)
	require.Equal(t, claim.Collected, frozen.Status)
	require.NotNil(t, frozen.Freeze)
	_, err := b.act(t, c, claim.Inspect, pass)
	require.ErrorIs(t, err, apierr.ClaimNotInspectable)
	require.Zero(t, b.pays.total())
	require.NoError(t, b.orders.Correct(c.Items[0].ItemID, "delivered"))
	_, err = b.saga.Unfreeze(t.Context(), c.No, "kim")
	require.NoError(t, err)
	require.NoError(t, b.saga.PassUninspected(t.Context(), due))
	b.requireDone(t, c)
}

// Operators can act in place of the seller, hold an inspection and freeze a claim.
func TestOperators_actHoldAndFreeze(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Return), 1)
	operator := claim.Actor{Kind: claim.ByOperator, Name: "kim"}
	for range 2 {
		c, err := b.saga.Act(t.Context(), c.No, claim.Command{Action: claim.Pickup, Values: hanjin, Actor: operator})
		require.NoError(t, err)
		require.Equal(t, operator, c.Performed.Of(claim.Pickup).Actor)
	}
	_, err := b.act(t, c, claim.Pickup, hanjin)
	require.NoError(t, err, "the action was performed already")
	_, err = b.saga.Freeze(t.Context(), c.No, "kim", claim.FreezeDispute, "customer called")
	require.NoError(t, err)
	_, err = b.act(t, c, claim.CollectDone, claim.Values{})
	require.ErrorIs(t, err, apierr.ClaimNotCollectDone)
	require.Equal(t, []any{"frozen", claim.FreezeDispute}, []any{apierr.From(err).Data["reason"], apierr.From(err).Data["code"]})
	_, err = b.saga.Unfreeze(t.Context(), c.No, "kim")
	require.NoError(t, err)
	_, err = b.act(t, c, claim.CollectDone, claim.Values{})
	require.NoError(t, err)
	held, err := b.saga.HoldInspection(t.Context(), c.No, "kim", "scratches")
	require.NoError(t, err)
	require.Equal(t, claim.Inspecting, held.Status)
	done, err := b.saga.Act(t.Context(), c.No, claim.Command{Action: claim.Inspect, Values: pass, Actor: operator})
	require.NoError(t, err)
	b.requireDone(t, done)
	for _, call := range []func() error{
		func() error { _, err := b.saga.Withdraw(t.Context(), "none"); return err },
		func() error {
			_, err := b.saga.Act(t.Context(), "none", claim.Command{Action: claim.Approve})
			return err
		},
		func() error { _, err := b.saga.Convert(t.Context(), "none", "R-1", "kim"); return err },
		func() error { _, err := b.saga.RetryRefund(t.Context(), "none", "kim"); return err },
		func() error { _, err := b.saga.RecordRefund(t.Context(), uuid.New(), claim.Succeed, ""); return err },
	} {
		require.ErrorIs(t, call(), apierr.ClaimNotFound)
	}
}

// A refund that failed too often waits until an operator retries it.
func TestRetryRefund_afterTooManyFailures(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pays.tell(func(int) (refund.Result, error) { return refund.Result{Trigger: claim.Failure}, nil })
	c := b.advance(t, b.open(t, claim.Cancel), 1)
	for range 10 {
		b.ask(t)
	}
	refunds, err := b.store.Refunds(t.Context(), b.seller, c.No)
	require.NoError(t, err)
	require.Equal(t, claim.RefundManual, refunds[0].Status)
	require.Equal(t, 10, b.pays.asked)
	b.pays.tell(nil)
	b.ask(t)
	require.Equal(t, claim.RefundProcessing, b.get(t, c).Status, "no automatic retry")
	for range 2 {
		done, err := b.saga.RetryRefund(t.Context(), c.No, "kim")
		require.NoError(t, err)
		require.Equal(t, claim.Completed, done.Status)
	}
	b.requireDone(t, c)
}

// The provider's result of a refund is also accepted when it is reported without a request, and only once.
func TestRecordRefund_unasked(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.pays.tell(func(int) (refund.Result, error) { return refund.Result{Trigger: claim.NeedAccount}, nil })
	c := b.advance(t, b.open(t, claim.Cancel), 1)
	refunds, err := b.store.Refunds(t.Context(), b.seller, c.No)
	require.NoError(t, err)
	require.Equal(t, claim.AwaitingAccount, refunds[0].Status)
	failed, err := b.saga.RecordRefund(t.Context(), refunds[0].ID, claim.Failure, "R-7")
	require.NoError(t, err)
	require.Equal(t, claim.RefundProcessing, failed.Status)
	for range 2 {
		done, err := b.saga.RecordRefund(t.Context(), refunds[0].ID, claim.Succeed, "R-8")
		require.NoError(t, err)
		require.Equal(t, claim.Completed, done.Status)
	}
	refunds, err = b.store.Refunds(t.Context(), b.seller, c.No)
	require.NoError(t, err)
	require.Equal(t, "R-8", refunds[0].ProviderReference)
}
