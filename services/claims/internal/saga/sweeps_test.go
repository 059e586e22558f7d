package saga_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/sweep"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/refund"
)

// sweep runs every sweep once, in this many processes concurrently.
func (b *fixture) sweep(t *testing.T, processes int) {
	t.Helper()
	var running sync.WaitGroup
	for range processes {
		for _, s := range b.saga.Sweeps() {
			running.Go(func() { _, _ = sweep.New(s, b.options.Telemetry).Once(t.Context()) })
		}
	}
	running.Wait()
}

func (b *fixture) left(t *testing.T) (canceled, unasked, uninspected, unpaid claim.Claim) {
	t.Helper()
	unpaid = b.shortfall(t)
	uninspected, _ = b.collected(t)
	canceled, unasked = b.open(t, claim.Cancel), b.open(t, claim.Cancel)
	b.pays.tell(func(int) (refund.Result, error) { return refund.Result{}, apierr.Unavailable })
	_, err := b.act(t, unasked, claim.Approve, claim.Values{})
	require.NoError(t, err)
	b.pays.tell(nil)
	b.orders.Fail("Settle", rpctest.Always(rpctest.Fault{Unreachable: true}))
	_, err = b.act(t, canceled, claim.Approve, claim.Values{})
	require.NoError(t, err)
	b.orders.Fail("Settle", nil)
	require.Equal(t, []claim.Step{claim.FinishClaim}, b.pending(t, canceled.No))
	return canceled, unasked, uninspected, unpaid
}

// everythingComes makes everything due.
func (b *fixture) everythingComes(t *testing.T) {
	t.Helper()
	b.letCome(t)
	b.overdue(t)
	b.exec(t, "update refunds set next_at = clock_timestamp() where next_at is not null")
	b.exec(t, "update claims set payment_due_at = clock_timestamp() where payment_due_at is not null")
}

// Work that is left when a process is killed is found by the next sweep of any process, from its rows alone, and not before its
// time. Processes that find it at the same time do it once.
func TestSweeps(t *testing.T) {
	t.Parallel()
	for _, processes := range []int{1, 4} {
		b := setup(t)
		canceled, unasked, uninspected, unpaid := b.left(t)
		all := func() []claim.Claim {
			return []claim.Claim{b.get(t, canceled), b.get(t, unasked), b.get(t, uninspected), b.get(t, unpaid)}
		}
		before := all()
		b.sweep(t, processes)
		after := all()
		require.Equal(t, before, after)
		b.pays.tell(nil)
		b.everythingComes(t)
		b.sweep(t, processes)
		require.Equal(t, claim.Completed, b.get(t, canceled).Status)
		require.Equal(t, claim.Completed, b.get(t, unasked).Status)
		require.Equal(t, claim.Completed, b.get(t, uninspected).Status)
		require.Equal(t, claim.Expired, b.get(t, unpaid).Status)
		b.letCome(t) // the steps that followed
		b.sweep(t, processes)
		require.Equal(t, 2, b.pays.asked, "two refunds: the pending one and the passed return")
		for _, c := range before {
			require.Empty(t, b.pending(t, c.No))
		}
	}
}

// A step that a sweep has tried is not tried by the next one until its pause has passed.
func TestSweeps_pause(t *testing.T) {
	t.Parallel()
	b := setup(t)
	b.orders.Fail("Touch", rpctest.Always(rpctest.Fault{Unreachable: true}))
	c := b.open(t, claim.Return)
	_, err := b.act(t, c, claim.Approve, claim.Values{})
	require.ErrorIs(t, err, apierr.Unavailable)
	b.letCome(t)
	b.sweep(t, 1)
	b.orders.Fail("Touch", nil)
	b.sweep(t, 1)
	require.Equal(t, []claim.Step{claim.TouchHeld}, b.pending(t, c.No))
	b.letCome(t)
	b.sweep(t, 1)
	require.Empty(t, b.pending(t, c.No))
}
