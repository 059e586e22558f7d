package store_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/store"
)

func sending(r claim.Refund, now time.Time) (claim.Refund, []claim.LedgerEntry, bool, store.Deciding) {
	next, ok := r.Sending(now)
	return next, nil, ok, nil
}

func succeeding(r claim.Refund, now time.Time) (claim.Refund, []claim.LedgerEntry, bool, store.Deciding) {
	next, entries, ok := r.RecordResult(claim.Succeed, "provider-1", 0, now)
	return next, entries, ok, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision { return c.Finish(nil, now) }
}

func TestChangeRefund_completesClaimInOneTx(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.act(t, b.openOne(t, seller, claim.Cancel), claim.Approve, claim.Values{})
	due, err := b.store.DueRefunds(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, due, "the queueing call requests the refund itself")
	b.letCome(t)
	due, err = b.store.DueRefunds(t.Context(), 10)
	require.NoError(t, err)
	require.Len(t, due, 1)
	require.Equal(t, []any{seller, c.No}, []any{due[0].SellerID, due[0].ClaimNo})
	id := due[0].ID
	owner, no, err := b.store.RefundOwner(t.Context(), id)
	require.NoError(t, err)
	require.Equal(t, []any{seller, c.No}, []any{owner, no})

	sent, err := b.store.ChangeRefund(t.Context(), seller, c.No, id, sending)
	require.NoError(t, err)
	require.True(t, sent.Moved)
	require.Equal(t, claim.RefundProcessing, sent.Claim.Status)
	stillDue, err := b.store.DueRefunds(t.Context(), 10)
	require.NoError(t, err)
	require.Empty(t, stillDue)

	done, err := b.store.ChangeRefund(t.Context(), seller, c.No, id, succeeding)
	require.NoError(t, err)
	require.True(t, done.Moved)
	require.Equal(t, claim.Completed, done.Claim.Status)
	require.Equal(t, claim.Completed, b.get(t, c).Status)
	refunds, err := b.store.Refunds(t.Context(), seller, c.No)
	require.NoError(t, err)
	require.Equal(t, []claim.Refund{done.Refund}, refunds)

	again, err := b.store.ChangeRefund(t.Context(), seller, c.No, id, succeeding)
	require.NoError(t, err)
	require.False(t, again.Moved)
	require.Equal(t, done.Claim.UpdatedAt, again.Claim.UpdatedAt)
	require.Equal(t, []string{"refund_payout 10000 " + id.String()},
		b.texts(t, "select kind || ' ' || amount || ' ' || reference from ledger"))
}

// The payment of a shortfall is recorded in the ledger, and a later withdrawal turns it into a
// refund.
func TestPayShortfall_savedAndRefunded(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	w := wanted(seller, claim.Exchange)
	w.Items[0].ExchangeUnitPrice = 6000
	paying := func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.PayShortfall("P-1", 2000, now)
	}
	c := b.open(t, w)
	require.Equal(t, claim.PaymentPending, c.Status)
	c = b.change(t, c, paying)
	require.Equal(t, c, b.get(t, c))
	c = b.change(t, c, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision { return c.Withdraw(now) })
	require.Equal(t, claim.Withdraw, b.get(t, c).Performed.Pending().Action, "any registered trigger is stored")
	c = b.change(t, c, confirming(claim.Withdraw))
	require.Equal(t, c, b.get(t, c))
	refunds, err := b.store.Refunds(t.Context(), seller, c.No)
	require.NoError(t, err)
	require.Len(t, refunds, 1)
	require.Equal(t, claim.ShortfallReturn, refunds[0].Kind)
	require.Equal(t, []string{"shortfall_payment 2000 P-1"},
		b.texts(t, "select kind || ' ' || amount || ' ' || reference from ledger"))
}

// A customer pays for several claims at once. Each records its own part of the payment, once.
func TestPayShortfall_onePaymentManyClaims(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	paying := func(amount int64) store.Deciding {
		return func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
			return c.PayShortfall("P-1", amount, now)
		}
	}
	for price, missing := range map[int64]int64{6000: 2000, 7000: 4000} {
		w := wanted(seller, claim.Exchange)
		w.Items[0].ExchangeUnitPrice = price
		c := b.open(t, w)
		_, err := b.store.Change(t.Context(), seller, c.No, paying(missing+1))
		require.ErrorIs(t, err, apierr.ValidationError)
		require.Equal(t, claim.Requested, b.change(t, c, paying(missing)).Status)
		again, err := b.store.Change(t.Context(), seller, c.No, paying(missing))
		require.NoError(t, err)
		require.Equal(t, claim.AlreadyDone, again.Decision.Verdict)
	}
	require.Equal(t, []string{"2000 P-1", "4000 P-1"}, b.texts(t, "select amount || ' ' || reference from ledger order by amount"))
	_, err := b.Pool.Exec(t.Context(), "insert into ledger select * from ledger limit 1")
	require.ErrorContains(t, err, "ledger_once")
}

// A refund that does not belong to the claim is not found.
func TestChangeRefund_otherClaimNotFound(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.act(t, b.openOne(t, seller, claim.Cancel), claim.Approve, claim.Values{})
	_, err := b.store.ChangeRefund(t.Context(), seller, c.No, uuid.New(), sending)
	require.ErrorIs(t, err, apierr.ClaimNotFound)
	_, _, err = b.store.RefundOwner(t.Context(), uuid.New())
	require.ErrorIs(t, err, apierr.ClaimNotFound)
}
