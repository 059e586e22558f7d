package saga_test

import (
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/rpc/rpctest"
	"sellerapi.dev/services/claims/internal/claim"
	"sellerapi.dev/services/claims/internal/saga"
	"sellerapi.dev/services/orders/orderstest"
)

func (b *fixture) recordRefund(t *testing.T, s *saga.Saga, c claim.Claim) error {
	t.Helper()
	refunds, err := b.store.Refunds(t.Context(), c.SellerID, c.No)
	require.NoError(t, err)
	_, err = s.RecordRefund(t.Context(), refunds[0].ID, claim.Succeed, "P-1")
	return err
}

func isFrozen(c *claim.Claim) bool {
	for _, action := range claim.Actions() {
		command := claim.Command{Action: action, Values: pass, Actor: claim.Actor{Kind: claim.ByAPI}}
		d := claim.Decide(c, command, c.UpdatedAt)
		if d.Err != nil && apierr.From(d.Err).Data["reason"] == "frozen" {
			return true
		}
	}
	return false
}

// broken returns how the order contradicts what the claim shows at this instant; empty if it does not. The order may be ahead of
// the claim, but no state that the claim shows may be ahead of the order.
func (b *fixture) broken(t *testing.T, c claim.Claim) string {
	t.Helper()
	shown, held := b.get(t, c), b.orders.Hold(c.No)
	var standIns []orderstest.Line
	for _, line := range b.orders.Lines(c.OrderNo) {
		if line.IsExchange {
			standIns = append(standIns, line)
		}
	}
	promised := map[claim.Status]bool{
		claim.RefundProcessing: held.Sealed, claim.Completed: held.State == "settled", claim.Rejected: held.State == "released",
		claim.Withdrawn: held.State == "released", claim.Expired: held.State == "released",
		claim.ConvertedToReturn: held.State == "converted", claim.Reshipping: len(standIns) > 0,
	}
	if kept, promises := promised[shown.Status]; promises && !kept {
		return string(shown.Status) + ", and the lines are " + held.State
	}
	for _, line := range standIns {
		switch {
		case shown.Status == claim.Reshipping && line.State == "canceled":
			return "reshipping, and its line is canceled"
		case shown.Status == claim.ConvertedToReturn && line.State != "canceled":
			return "converted, and its line is " + line.State
		}
	}
	if isFrozen(&shown) && shown.Type == claim.Exchange && !held.Frozen && held.State == "active" {
		return "frozen, and the order's side does not know"
	}
	return ""
}

// requireAnswered requires that everything that an answer promises is true.
func (b *fixture) requireAnswered(t *testing.T, row promising, c claim.Claim) {
	t.Helper()
	require.Empty(t, b.broken(t, c))
	shown := b.get(t, c)
	require.Equal(t, row.shows, shown.Status)
	if shown.Type == claim.Exchange && shown.CompletedAt == nil {
		require.Equal(t, isFrozen(&shown), b.orders.Hold(c.No).Frozen, "the order's side knows whether it is frozen")
	}
	for _, line := range b.orders.Lines(c.OrderNo) {
		if line.IsExchange && shown.Status == claim.Reshipping {
			require.Equal(t, !isFrozen(&shown), line.Open, "the line can be shipped unless its claim is frozen")
		}
	}
}

func (row *promising) begin(t *testing.T, b *fixture) (claim.Claim, func(*saga.Saga) error) {
	t.Helper()
	c := b.advance(t, b.open(t, row.kind), row.at)
	if row.prepare != nil {
		row.prepare(t, b, c)
		c = b.get(t, c)
	}
	do := row.do
	if do == nil {
		do = b.recordRefund
	}
	return c, func(s *saga.Saga) error { return do(t, s, c) }
}

// Between any two calls to the orders service, the order is as the claim shows it, and when the call is answered, as the answer
// says.
func TestPromise_betweenSteps(t *testing.T) {
	t.Parallel()
	for _, row := range promises {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			c, do := row.begin(t, b)
			var mu sync.Mutex
			var wrong []string
			look := func() {
				mu.Lock()
				defer mu.Unlock()
				if seen := b.broken(t, c); seen != "" {
					wrong = append(wrong, seen)
				}
			}
			b.orders.Fail(rpctest.Any, rpctest.Always(rpctest.Fault{Before: look, After: look}))
			require.NoError(t, do(b.saga))
			b.orders.Fail(rpctest.Any, nil)
			require.Empty(t, wrong)
			b.requireAnswered(t, row, c)
		})
	}
}

// While the orders service is stopped, its answers are lost, or the order is locked, a call is answered only if what it promises
// is true. Otherwise the claim shows what it did before; the same call later, or a sweep, completes it.
func TestPromise_ordersAway(t *testing.T) {
	t.Parallel()
	for _, row := range promises {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			b := setup(t)
			for how, fault := range map[string]rpctest.Fault{"stopped": {Unreachable: true}, "paused": {Drop: true}, "locked": {}} {
				for _, swept := range []bool{false, true} {
					t.Log(how, swept)
					b.requireKeptWhile(t, row, how == "locked", fault, swept)
				}
			}
		})
	}
}

// requireKeptWhile makes a call while every request to the orders service has a fault, or waits for a lock, and completes it
// afterwards, by the same call or by a sweep.
func (b *fixture) requireKeptWhile(t *testing.T, row promising, isLocked bool, fault rpctest.Fault, swept bool) {
	t.Helper()
	b.pays.tell(nil)
	c, do := row.begin(t, b)
	locked := make(chan struct{})
	unlock := sync.OnceFunc(func() { close(locked) })
	t.Cleanup(unlock)
	if isLocked {
		fault.Before = func() { <-locked }
	}
	b.orders.Fail(rpctest.Any, rpctest.Always(fault))
	short := b.options
	short.Inline = 50 * time.Millisecond
	if err := do(saga.New(short)); err == nil {
		require.Contains(t, []way{alone, isTimer}, row.way, "answered although the orders service does not know")
	}
	require.Empty(t, b.broken(t, c))
	b.orders.Fail(rpctest.Any, nil)
	unlock()
	if swept && row.way != asks || row.way == isTimer {
		b.heal(t)
	}
	require.NoError(t, do(b.saga))
	b.requireAnswered(t, row, c)
	b.heal(t)
	b.requireAnswered(t, row, c)
}
