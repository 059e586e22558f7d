package saga_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/lines"
)

func TestRequest_holdsLinesOnce(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.wanted(claim.Return)
	opened := make([]claim.Claim, 8)
	var wg sync.WaitGroup
	for i := range opened {
		wg.Go(func() {
			c, err := b.saga.Request(t.Context(), w)
			if err == nil {
				opened[i] = c
			}
		})
	}
	wg.Wait()
	for _, c := range opened {
		require.Equal(t, w.No, c.No)
		require.Equal(t, claim.Requested, c.Status)
	}
	require.Equal(t, w.No, b.orders.Lines(w.OrderNo)[0].ClaimNo)
	require.Empty(t, b.pending(t, w.No))

	other := w
	other.Reason = claim.ChangeOfMind
	_, err := b.saga.Request(t.Context(), other)
	require.ErrorIs(t, err, apierr.IdempotencyKeyReused)
}

// A refused request holds no lines and leaves no step behind.
func TestRequest_refusedLeavesNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	held := b.open(t, claim.Return)
	for code, change := range map[apierr.Code]func(*claim.Wanted){
		apierr.ValidationError:         func(w *claim.Wanted) { w.Items[0].Quantity = 0 },
		apierr.OrderItemNotFound:       func(w *claim.Wanted) { w.Items[0].ItemID = uuid.New() },
		apierr.OrderItemHasActiveClaim: func(w *claim.Wanted) { w.OrderNo, w.Items[0].ItemID = held.OrderNo, held.Items[0].ItemID },
		apierr.ClaimNotApprovable:      func(w *claim.Wanted) { w.Items[0].Quantity = 4 },
	} {
		w := b.wanted(claim.Return)
		orderNo := w.OrderNo
		change(&w)
		_, err := b.saga.Request(t.Context(), w)
		require.ErrorIs(t, err, code)
		require.Empty(t, b.pending(t, w.No), code)
		require.Empty(t, b.orders.Lines(orderNo)[0].ClaimNo)
		_, err = b.store.Seller(t.Context(), w.No)
		require.ErrorIs(t, err, apierr.ClaimNotFound)
	}
}

// Only the rules know whether a customer's request is in time; the lines are released when they refuse it.
func TestRequest_tooLateHoldsNothing(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, released := range []bool{true, false} {
		w := b.wanted(claim.Exchange)
		late := time.Now().Add(-8 * 24 * time.Hour)
		b.orders.Backdate(w.OrderNo, late, late)
		if !released {
			b.orders.Fail("Release", rpctest.Once(rpctest.Fault{Unreachable: true}))
		}
		_, err := b.saga.Request(t.Context(), w)
		if released {
			require.ErrorIs(t, err, apierr.ClaimNotApprovable)
			require.Equal(t, "request_period", apierr.From(err).Data["reason"])
		} else {
			require.GreaterOrEqual(t, apierr.From(err).Code.Status(), 500)
			require.Equal(t, []claim.Step{claim.OpenLines}, b.pending(t, w.No), "until no line is held")
			b.heal(t)
		}
		require.Empty(t, b.orders.Lines(w.OrderNo)[0].ClaimNo)
		require.Empty(t, b.pending(t, w.No))
		_, err = b.saga.Request(t.Context(), w)
		require.ErrorIs(t, err, apierr.ClaimNotApprovable)
		require.Empty(t, b.pending(t, w.No))
	}
}

// A caller does not retry after an interruption: the claim is opened nevertheless, and no lines stay held without one.
func TestRequest_interruptedContinues(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for _, fault := range []rpctest.Fault{{Unreachable: true}, {Drop: true}} {
		w := b.wanted(claim.Cancel)
		b.orders.Fail("Open", rpctest.Once(fault))
		_, err := b.saga.Request(t.Context(), w)
		require.GreaterOrEqual(t, apierr.From(err).Code.Status(), 500)
		b.heal(t)
		c, err := b.store.Get(t.Context(), b.seller, w.No)
		require.NoError(t, err)
		require.Equal(t, claim.Requested, c.Status)
		again, err := b.saga.Request(t.Context(), w)
		require.NoError(t, err)
		require.Equal(t, c, again)
	}
	w := b.wanted(claim.Cancel)
	b.orders.Fail("Open", rpctest.Once(rpctest.Fault{Unreachable: true}))
	_, err := b.saga.Request(t.Context(), w)
	require.Error(t, err)
	require.NoError(t, b.orders.Correct(w.Items[0].ItemID, "shipping"))
	b.heal(t)
	_, err = b.store.Seller(t.Context(), w.No)
	require.ErrorIs(t, err, apierr.ClaimNotFound, "the request was refused")
	require.Empty(t, b.pending(t, w.No))
}

// A slow sweep continues a request whose caller has retried and was refused meanwhile: then there must be no claim.
func TestRequest_slowSweepAfterRefusal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.wanted(claim.Cancel)
	b.orders.Fail("Open", rpctest.Once(rpctest.Fault{Unreachable: true}))
	_, err := b.saga.Request(t.Context(), w)
	require.Error(t, err)
	steps := b.due(t, w.No)
	b.orders.Fail("Open", rpctest.Once(rpctest.Fault{After: func() {
		require.NoError(t, b.store.FinishStep(t.Context(), steps[0])) // as the refusal does
	}}))
	require.NoError(t, b.saga.RunStep(t.Context(), steps[0]))
	_, err = b.store.Seller(t.Context(), w.No)
	require.ErrorIs(t, err, apierr.ClaimNotFound)
	require.Empty(t, b.orders.Lines(w.OrderNo)[0].ClaimNo)
}

// A call is refused because of the state of the line. Before it has ended the step, the state is corrected and a sweep opens
// the claim. The call returns that claim: no refusal is answered for a claim that exists.
func TestRequest_openedAfterRefusal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.wanted(claim.Cancel)
	correct := func(status string) {
		require.NoError(t, b.orders.Correct(w.Items[0].ItemID, status))
	}
	b.orders.Fail("Open", rpctest.Once(rpctest.Fault{Unreachable: true}))
	_, err := b.saga.Request(t.Context(), w)
	require.ErrorIs(t, err, apierr.Unavailable)
	steps := b.due(t, w.No)
	correct("shipping")
	b.orders.Fail("Open", rpctest.Once(rpctest.Fault{After: func() {
		correct("paid")
		require.NoError(t, b.saga.RunStep(t.Context(), steps[0]))
	}}))
	c, err := b.saga.Request(t.Context(), w)
	require.NoError(t, err)
	require.Equal(t, claim.Requested, c.Status)
	require.Equal(t, w.No, b.orders.Lines(w.OrderNo)[0].ClaimNo)
	require.Empty(t, b.pending(t, w.No))
}

// A sweep is about to release the lines of a request that was refused to its caller, when the request is repeated. The repetition
// waits until they are released: there is no claim without its lines.
func TestRequest_repeatedDuringRelease(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.wanted(claim.Cancel)
	b.orders.Fail("Open", rpctest.Once(rpctest.Fault{Unreachable: true}))
	_, err := b.saga.Request(t.Context(), w)
	require.ErrorIs(t, err, apierr.Unavailable)
	steps := b.due(t, w.No)
	b.orders.Fail("Open", rpctest.Once(rpctest.Fault{After: func() {
		require.NoError(t, b.store.FinishStep(t.Context(), steps[0])) // as a refusal does
	}}))
	repeated := make(chan error, 1)
	b.orders.Fail("Release", rpctest.Once(rpctest.Fault{Before: func() {
		go func() {
			_, err := b.saga.Request(t.Context(), w)
			repeated <- err
		}()
		require.Eventually(t, func() bool {
			var waits bool
			err := b.Pool.QueryRow(t.Context(), "select exists (select from pg_stat_activity"+
				" where datname = current_database() and cardinality(pg_blocking_pids(pid)) > 0)").Scan(&waits)
			return err == nil && waits || len(repeated) > 0
		}, time.Minute, 5*time.Millisecond)
	}}))
	require.NoError(t, b.saga.RunStep(t.Context(), steps[0]))
	if err := <-repeated; err == nil {
		require.Equal(t, w.No, b.orders.Lines(w.OrderNo)[0].ClaimNo)
	} else {
		require.NotNil(t, lines.Refusal(err), "%v", err)
		require.Empty(t, b.orders.Lines(w.OrderNo)[0].ClaimNo)
	}
}

// The outcome of a sweep's attempt is unknown, and another attempt was refused meanwhile. What the first one may hold is
// released.
func TestRequest_unknownAfterRefusal(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.wanted(claim.Cancel)
	b.orders.Fail("Open", rpctest.Once(rpctest.Fault{Unreachable: true}))
	_, err := b.saga.Request(t.Context(), w)
	require.ErrorIs(t, err, apierr.Unavailable)
	steps := b.due(t, w.No)
	b.orders.Fail("Open", rpctest.Once(rpctest.Fault{Drop: true, After: func() {
		require.NoError(t, b.store.FinishStep(t.Context(), steps[0])) // as a refusal does
	}}))
	require.Error(t, b.saga.RunStep(t.Context(), steps[0]))
	require.Empty(t, b.orders.Lines(w.OrderNo)[0].ClaimNo)
}

// A request reserves its number before its claim exists: until then no action is possible.
func TestRequest_notedHasNoClaim(t *testing.T) {
	t.Parallel()
	b := setup(t)
	w := b.wanted(claim.Cancel)
	b.orders.Fail("Open", rpctest.Always(rpctest.Fault{Unreachable: true}))
	_, err := b.saga.Request(t.Context(), w)
	require.ErrorIs(t, err, apierr.Unavailable)
	b.orders.Fail("Open", nil)
	for name, happen := range map[string]func() (claim.Claim, error){
		"withdraw": func() (claim.Claim, error) { return b.saga.Withdraw(t.Context(), w.No) },
		"pay":      func() (claim.Claim, error) { return b.saga.PayShortfall(t.Context(), w.No, "P-1", 1) },
		"convert":  func() (claim.Claim, error) { return b.saga.Convert(t.Context(), w.No, "R-1", "kim") },
		"cancel":   func() (claim.Claim, error) { return b.saga.CancelReshipment(t.Context(), w.No, "kim", "lost") },
		"retry":    func() (claim.Claim, error) { return b.saga.RetryRefund(t.Context(), w.No, "kim") },
		"act": func() (claim.Claim, error) {
			return b.saga.Act(t.Context(), w.No, claim.Command{
				Action: claim.Approve,
				Actor:  claim.Actor{Kind: claim.ByOperator, Name: "kim"},
			})
		},
	} {
		_, err := happen()
		require.ErrorIs(t, err, apierr.ClaimNotFound, name)
	}
	require.Equal(t, []claim.Step{claim.OpenLines}, b.pending(t, w.No))
}
