package saga_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/refund"
	"sellerapi.dev/services/claims/internal/saga"
)

// impatient gives calls a short time to wait, and lets the orders service hang until the end of the test.
func (b *fixture) impatient(t *testing.T) {
	t.Helper()
	over := make(chan struct{})
	t.Cleanup(func() { close(over) })
	b.options.Inline = 300 * time.Millisecond
	b.saga = saga.New(b.options)
	b.orders.Fail(rpctest.Any, rpctest.Always(rpctest.Fault{Before: func() { <-over }}))
}

// A call that makes several changes, or settles lines and then tries steps, waits for the orders service once and not for each of
// them: it gets its response before its deadline, and a sweep does the rest.
func TestCallBudget_sharedByAllWaits(t *testing.T) {
	t.Parallel()
	t.Run("conversion", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		was := b.open(t, claim.Exchange)
		b.impatient(t)
		_, err := b.saga.Convert(t.Context(), was.No, "R-"+was.No, "kim")
		require.ErrorIs(t, err, apierr.UpstreamTimeout)
		require.Equal(t, claim.Requested, b.get(t, was).Status)
		require.Equal(t, []claim.Step{claim.ConvertLines}, b.pending(t, was.No))
		require.LessOrEqual(t, b.orders.Calls()["Convert"], 1)
	})
	t.Run("refund recorded", func(t *testing.T) {
		t.Parallel()
		b := setup(t)
		b.pays.tell(func(int) (refund.Result, error) {
			return refund.Result{Trigger: refund.Accepted, Reference: "R-1"}, nil
		})
		c := b.advance(t, b.open(t, claim.Cancel), 1)
		refunds, err := b.store.Refunds(t.Context(), b.seller, c.No)
		require.NoError(t, err)
		b.impatient(t)
		c, err = b.saga.RecordRefund(t.Context(), refunds[0].ID, claim.Succeed, "R-1")
		require.NoError(t, err)
		require.Equal(t, claim.RefundProcessing, c.Status)
		require.Equal(t, []claim.Step{claim.FinishClaim}, b.pending(t, c.No))
		require.LessOrEqual(t, b.orders.Calls()["Settle"], 1, "one call of Settle at most")
	})
}
