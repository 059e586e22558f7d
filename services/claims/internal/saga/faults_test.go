package saga_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/uuid"
	"github.com/prometheus/client_golang/prometheus/testutil"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/pkg/telemetry"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/refund"
	"sellerapi.dev/services/claims/internal/store"
)

// procedures are those that change the order, by the claim types that call them.
var procedures = map[claim.Type][]string{
	claim.Cancel:   {"Open", "Seal", "Settle"},
	claim.Return:   {"Open", "Touch", "Seal", "Settle"},
	claim.Exchange: {"Open", "Touch", "AddExchangeLine", "ShipExchangeLine"},
}

// faults are the faults that a call can have.
var faults = map[string]rpctest.Fault{
	"request lost": {Unreachable: true}, "response lost": {Drop: true}, "sent twice": {Twice: true},
	"sent twice, response lost": {Twice: true, Drop: true},
}

// Whatever call between the services is lost or sent twice: with enough retries every claim ends, and everything happened once.
func TestStep_onceUnderFaults(t *testing.T) {
	t.Parallel()
	for kind, names := range procedures {
		for _, procedure := range names {
			t.Run(fmt.Sprintf("%s/%s", kind, procedure), func(t *testing.T) {
				t.Parallel()
				b := setup(t)
				for name, fault := range faults {
					for call := 1; call <= 3; call++ {
						t.Logf("call %d %s", call, name)
						b.pays.forget()
						b.orders.Fail(procedure, func(n int) rpctest.Fault {
							if n == call {
								return fault
							}
							return rpctest.Fault{}
						})
						b.live(t, kind)
					}
				}
			})
		}
	}
}

// live takes a claim to its end like a caller that retries, with sweeps in between.
func (b *fixture) live(t *testing.T, kind claim.Type) {
	t.Helper()
	w := b.wanted(kind)
	c, err := b.saga.Request(t.Context(), w)
	for err != nil {
		require.GreaterOrEqual(t, apierr.From(err).Code.Status(), 500)
		b.heal(t)
		c, err = b.saga.Request(t.Context(), w)
	}
	for _, step := range lives[kind] {
		for tries := 1; ; tries++ {
			_, err := b.act(t, c, step.action, step.values)
			if err == nil {
				break
			}
			require.Less(t, tries, 5)
			require.False(t, apierr.From(err).Code.Stored(), "%v: a caller may come again", err)
			if tries%2 == 0 {
				b.heal(t)
			}
		}
	}
	b.heal(t)
	b.requireDone(t, c)
}

// A failing step of an earlier change delays no action: the caller gets the result of its own.
func TestPerform_ignoresEarlierSteps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Exchange), 3)
	b.orders.Fail("Touch", rpctest.Always(rpctest.Fault{Unreachable: true}))
	_, err := b.saga.HoldInspection(t.Context(), c.No, "kim", "scratches")
	require.NoError(t, err)
	_, err = b.saga.Act(t.Context(), c.No,
		claim.Command{Action: claim.Inspect, Values: pass, Actor: claim.Actor{Kind: claim.ByOperator, Name: "kim"}})
	require.NoError(t, err)
	c, err = b.act(t, c, claim.Reship, hanjin)
	require.NoError(t, err)
	require.Equal(t, claim.Completed, c.Status)
	require.Contains(t, b.pending(t, c.No), claim.TouchOrder)
	b.orders.Fail("Touch", nil)
	b.heal(t)
	b.requireDone(t, c)
}

// The provider's money is never paid twice and never lost, whatever it responds first.
func TestRefund_paidOnceThroughProviderFaults(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for name, first := range map[string]func() (refund.Result, error){
		"silent":        func() (refund.Result, error) { return refund.Result{}, apierr.Unavailable },
		"failed":        func() (refund.Result, error) { return refund.Result{Trigger: claim.Failure}, nil },
		"accepted":      func() (refund.Result, error) { return refund.Result{Trigger: refund.Accepted, Reference: "R-1"}, nil },
		"needs account": func() (refund.Result, error) { return refund.Result{Trigger: claim.NeedAccount}, nil },
	} {
		for _, kind := range []claim.Type{claim.Cancel, claim.Return} {
			b.pays.forget()
			b.pays.tell(func(asked int) (refund.Result, error) {
				if asked == 1 {
					return first()
				}
				return refund.Result{Trigger: claim.Succeed}, nil
			})
			c := b.advance(t, b.open(t, kind), len(lives[kind]))
			require.Equal(t, claim.RefundProcessing, c.Status, name)
			require.Empty(t, b.pending(t, c.No), "the refund is independent of the steps")
			require.NotEqual(t, "canceled", b.orders.Lines(c.OrderNo)[0].State)
			b.heal(t)
			b.requireDone(t, c)
		}
	}
}

// An unavailable provider fails no refund, so only the metric of the outcomes reveals it.
func TestAskRefundOutcomes(t *testing.T) {
	t.Parallel()
	for want, say := range map[string]func(int) (refund.Result, error){
		"silent":        func(int) (refund.Result, error) { return refund.Result{}, apierr.Unavailable },
		"failed":        func(int) (refund.Result, error) { return refund.Result{Trigger: claim.Failure}, nil },
		"accepted":      func(int) (refund.Result, error) { return refund.Result{Trigger: refund.Accepted}, nil },
		"needs_account": func(int) (refund.Result, error) { return refund.Result{Trigger: claim.NeedAccount}, nil },
		"succeeded":     nil,
	} {
		b := setup(t)
		b.pays.tell(say)
		asks := b.options.Telemetry.Counter(telemetry.RefundAsks)
		require.Equal(t, 6, testutil.CollectAndCount(asks), "all outcomes have a series from the start")
		b.advance(t, b.open(t, claim.Cancel), len(lives[claim.Cancel]))
		require.InDelta(t, 1, testutil.ToFloat64(asks.WithLabelValues(want)), 0, want)
		var unanswered bool
		require.NoError(t, b.Pool.QueryRow(t.Context(), "select bool_or(unanswered_since is not null) from refunds").Scan(&unanswered))
		require.Equal(t, want == "silent", unanswered, want)
	}
}

// A request that was aborted by the end of the service does not count as an outcome of the provider.
func TestAskRefundGivenUp(t *testing.T) {
	t.Parallel()
	b := setup(t)
	ctx, leave := context.WithCancel(t.Context())
	b.pays.tell(func(int) (refund.Result, error) { return refund.Result{}, apierr.Unavailable })
	c := b.advance(t, b.open(t, claim.Cancel), len(lives[claim.Cancel]))
	refunds, err := b.store.Refunds(t.Context(), c.SellerID, c.No)
	require.NoError(t, err)
	_, err = b.Pool.Exec(t.Context(), "update refunds set next_at = now()")
	require.NoError(t, err)
	b.pays.tell(func(int) (refund.Result, error) { leave(); return refund.Result{}, ctx.Err() })
	require.NoError(t, b.saga.RequestRefund(ctx, store.DueRefund{SellerID: c.SellerID, ClaimNo: c.No, ID: refunds[0].ID}))
	asks := b.options.Telemetry.Counter(telemetry.RefundAsks)
	require.InDelta(t, 1, testutil.ToFloat64(asks.WithLabelValues("silent")), 0)
	require.InDelta(t, 1, testutil.ToFloat64(asks.WithLabelValues("given_up")), 0)
}

// The customer has the money and the order cannot be updated: the success is saved, and the end follows.
func TestRefund_successWithUnsettledLines(t *testing.T) {
	t.Parallel()
	for name, fault := range map[string]rpctest.Fault{"unreachable": {Unreachable: true}, "dropped": {Drop: true}} {
		b := setup(t)
		c := b.open(t, claim.Cancel)
		b.orders.Fail("Settle", rpctest.Always(fault))
		c, err := b.act(t, c, claim.Approve, claim.Values{})
		require.NoError(t, err)
		require.Equal(t, claim.RefundProcessing, c.Status, name)
		refunds, err := b.store.Refunds(t.Context(), b.seller, c.No)
		require.NoError(t, err)
		require.Equal(t, claim.RefundSucceeded, refunds[0].Status)
		require.Contains(t, b.pending(t, c.No), claim.FinishClaim)
		b.orders.Fail("Settle", nil)
		b.heal(t)
		b.requireDone(t, c)
	}
}

// If lines were corrected between the refund and the end, past the seal, the claim waits; nothing is paid twice.
func TestEnd_refusedByOrderAwaitsOperator(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.open(t, claim.Cancel)
	b.pays.tell(func(int) (refund.Result, error) {
		b.orders.Force(c.Items[0].ItemID, "shipping")
		return refund.Result{Trigger: claim.Succeed}, nil
	})
	c, err := b.act(t, c, claim.Approve, claim.Values{})
	require.NoError(t, err)
	require.Equal(t, claim.RefundProcessing, c.Status)
	for _, step := range b.due(t, c.No) {
		if step.Name == claim.FinishClaim {
			require.ErrorIs(t, b.saga.RunStep(t.Context(), step), apierr.ClaimNotApprovable)
		}
	}
	b.orders.Force(c.Items[0].ItemID, "preparing")
	b.heal(t)
	b.requireDone(t, c)
	require.Equal(t, 1, b.pays.asked)
}

// Each step of a chain has a pause of its own; after a crash the pauses would add up.
func TestSweeps_runTheFollowingSteps(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.advance(t, b.open(t, claim.Exchange), 3)
	b.orders.Fail("AddExchangeLine", rpctest.Always(rpctest.Fault{Unreachable: true}))
	_, err := b.act(t, c, claim.Inspect, pass)
	require.ErrorIs(t, err, apierr.Unavailable)
	b.orders.Fail("AddExchangeLine", nil)
	steps := b.due(t, c.No)
	require.Len(t, steps, 1)
	require.NoError(t, b.saga.RunStep(t.Context(), steps[0]))
	require.Empty(t, b.pending(t, c.No))
	require.Equal(t, claim.Reshipping, b.get(t, c).Status)
	require.True(t, b.orders.Lines(c.OrderNo)[1].Open)
}

// A step that is done or unknown causes neither work nor an error.
func TestStep_doneOrUnknown(t *testing.T) {
	t.Parallel()
	b := setup(t)
	require.NoError(t, b.saga.RunStep(t.Context(), store.Step{ID: uuid.New()}))
}
