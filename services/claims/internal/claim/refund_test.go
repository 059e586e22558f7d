package claim_test

import (
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/claims/internal/claim"
)

func queued(tb testing.TB) claim.Refund {
	tb.Helper()
	c := opened(tb, claim.Cancel)
	d := claim.Decide(&c, claim.Command{Action: claim.Approve, Actor: seller}, now)
	require.Empty(tb, d.Change.Refunds, "no refund before the lines are sealed")
	d = confirmed(tb, d.Change.Next)
	require.Len(tb, d.Change.Refunds, 1)
	return d.Change.Refunds[0]
}

// A refund has the same id however often it is created.
func TestRefund_idIsStable(t *testing.T) {
	t.Parallel()
	first, second := queued(t), queued(t)
	require.Equal(t, first.ID, second.ID)
	require.NotEqual(t, uuid.Nil, first.ID)
	require.Equal(t, claim.RefundQueued, first.Status)
	require.Equal(t, now, *first.NextAt)
}

// A success is final: nothing that is reported later changes the refund.
func TestRefund_successIsFinal(t *testing.T) {
	t.Parallel()
	sent, ok := queued(t).Sending(now)
	require.True(t, ok)
	done, entries, ok := sent.RecordResult(claim.Succeed, "R-77", 0, now)
	require.True(t, ok)
	require.Equal(t, claim.RefundSucceeded, done.Status)
	require.Equal(t, "R-77", done.ProviderReference)
	require.Equal(t, now, *done.SucceededAt)
	require.Nil(t, done.NextAt)
	require.Equal(t, []claim.LedgerEntry{{Kind: claim.RefundPayout, Amount: 4999, Reference: done.ID.String()}}, entries)
	for _, late := range []claim.RefundTrigger{claim.Succeed, claim.Failure, claim.NeedAccount} {
		again, entries, ok := done.RecordResult(late, "R-78", 0, now)
		require.False(t, ok)
		require.Empty(t, entries)
		require.Equal(t, done, again)
	}
	_, ok = done.Sending(now.Add(time.Hour))
	require.False(t, ok)
}

func TestRefund_silentProviderAskedWithSameID(t *testing.T) {
	t.Parallel()
	sent, _ := queued(t).Sending(now)
	_, ok := sent.Sending(now.Add(9 * time.Second))
	require.False(t, ok)
	again, ok := sent.Sending(now.Add(10 * time.Second))
	require.True(t, ok)
	require.Equal(t, sent.ID, again.ID)
	require.Zero(t, again.Failures, "a missing response is not a failure")
}

// The time for which a provider's response is outstanding counts from the first request, however often it is repeated, and ends
// with any response.
func TestUnansweredSince(t *testing.T) {
	t.Parallel()
	require.Nil(t, queued(t).UnansweredSince)
	sent, _ := queued(t).Sending(now)
	require.Equal(t, now, *sent.UnansweredSince)
	later := now.Add(time.Hour)
	again, _ := sent.Sending(later)
	require.Equal(t, now, *again.UnansweredSince)

	accepted, _ := again.Accepted("R-1", later)
	require.Nil(t, accepted.UnansweredSince)
	asked, ok := accepted.Sending(later.Add(time.Minute))
	require.True(t, ok)
	require.Equal(t, later.Add(time.Minute), *asked.UnansweredSince)
	for _, word := range []claim.RefundTrigger{claim.Succeed, claim.Failure, claim.NeedAccount} {
		told, _, ok := asked.RecordResult(word, "", 0, later)
		require.True(t, ok)
		require.Nil(t, told.UnansweredSince, word)
	}
}

func TestRefund_acceptedWaits(t *testing.T) {
	t.Parallel()
	_, ok := queued(t).Accepted("R-1", now)
	require.False(t, ok, "the refund was not requested yet")
	sent, _ := queued(t).Sending(now)
	accepted, ok := sent.Accepted("R-1", now)
	require.True(t, ok)
	require.Equal(t, claim.RefundSent, accepted.Status)
	require.Equal(t, "R-1", accepted.ProviderReference)
	require.Equal(t, now.Add(time.Minute), *accepted.NextAt)
	done, _, _ := sent.RecordResult(claim.Succeed, "R-1", 0, now)
	_, ok = done.Accepted("R-1", now)
	require.False(t, ok, "the refund has succeeded already")
}

func TestRefundRetry_backoffThenOperator(t *testing.T) {
	t.Parallel()
	r, at := queued(t), now
	var pauses []time.Duration
	for {
		var ok bool
		r, ok = r.Sending(at)
		require.True(t, ok)
		r, _, ok = r.RecordResult(claim.Failure, "", 0, at)
		require.True(t, ok)
		if r.Status == claim.RefundManual {
			break
		}
		require.Equal(t, claim.RefundRetrying, r.Status)
		pauses = append(pauses, r.NextAt.Sub(at))
		at = *r.NextAt
	}
	require.Equal(t, []time.Duration{
		5 * time.Second, 10 * time.Second, 20 * time.Second, 40 * time.Second, 80 * time.Second,
		160 * time.Second, 320 * time.Second, 640 * time.Second, 1280 * time.Second,
	}, pauses)
	_, ok := r.Sending(at.Add(time.Hour))
	require.False(t, ok, "no automatic retry")
	again, ok := r.Requeue(at)
	require.True(t, ok)
	sent, ok := again.Sending(at)
	require.True(t, ok)
	require.Zero(t, sent.Failures, "the number of attempts is reset")
	_, ok = sent.Requeue(at)
	require.False(t, ok)
	_, _, ok = r.RecordResult(claim.Succeed, "", 0, at)
	require.True(t, ok, "a manual payment is recorded")
}

func TestRefundRetry_jitter(t *testing.T) {
	t.Parallel()
	sent, _ := queued(t).Sending(now)
	early, _, _ := sent.RecordResult(claim.Failure, "", 0, now)
	late, _, _ := sent.RecordResult(claim.Failure, "", 0.999, now)
	require.Equal(t, 5*time.Second, early.NextAt.Sub(now))
	require.InDelta(t, 10*time.Second, late.NextAt.Sub(now), float64(10*time.Millisecond))
}

// A refund that lacks an account waits, is requested again later and can still succeed.
func TestRefund_missingAccountWaits(t *testing.T) {
	t.Parallel()
	sent, _ := queued(t).Sending(now)
	waiting, _, ok := sent.RecordResult(claim.NeedAccount, "", 0, now)
	require.True(t, ok)
	require.Equal(t, claim.AwaitingAccount, waiting.Status)
	require.Equal(t, now.Add(time.Hour), *waiting.NextAt)
	_, entries, ok := waiting.RecordResult(claim.Succeed, "", 0, now)
	require.True(t, ok)
	require.Len(t, entries, 1)
}

func TestRefund_finishesOnlyWaitingClaim(t *testing.T) {
	t.Parallel()
	c := in(t, claim.Cancel, claim.RefundProcessing)
	done := claim.Refund{Kind: claim.MainRefund, Status: claim.RefundSucceeded}
	require.Equal(t, []claim.Step{claim.FinishClaim}, c.AfterRefund(done))
	for _, other := range []claim.Refund{
		{Kind: claim.MainRefund, Status: claim.RefundSent}, {Kind: claim.ShortfallReturn, Status: claim.RefundSucceeded},
	} {
		require.Empty(t, c.AfterRefund(other))
	}
	exchange := in(t, claim.Exchange, claim.Reshipping)
	require.Empty(t, exchange.AfterRefund(done))
}
