package store_test

import (
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/services/claims/internal/claim"
)

// A claim of each type is read back as it was saved.
func TestClaim_readBackAsSaved(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for _, kind := range claim.Types() {
		c := b.openOne(t, seller, kind)
		require.Equal(t, c, b.get(t, c), kind)
		require.Equal(t, c.RequestedAt, c.UpdatedAt)
	}
}

// One return and one exchange through all their steps, read back after each one.
func TestChange_everyStepSavedWhole(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	for _, kind := range []claim.Type{claim.Return, claim.Exchange} {
		c := b.openOne(t, seller, kind)
		for _, step := range []struct {
			action claim.Trigger
			values claim.Values
		}{{claim.Approve, claim.Values{}}, {claim.Pickup, hanjin}, {claim.CollectDone, claim.Values{}}, {claim.Inspect, pass}} {
			before := c.UpdatedAt
			c = b.act(t, c, step.action, step.values)
			require.True(t, c.UpdatedAt.After(before))
			got := b.get(t, c)
			require.ElementsMatch(t, c.Performed, got.Performed)
			got.Performed = c.Performed
			require.Equal(t, c, got, "%s %s", kind, step.action)
		}
		settled := claim.Settled{ItemID: c.Items[0].ItemID, SettledItemID: uuid.New()}
		if kind == claim.Return {
			c = b.change(t, c, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
				return c.Finish([]claim.Settled{settled}, now)
			})
		} else {
			c = b.change(t, b.change(t, c, deciding(claim.Reship, hanjin)), confirming(claim.Reship, settled))
		}
		require.Equal(t, claim.Completed, c.Status)
		require.Equal(t, settled.SettledItemID, b.get(t, c).Items[0].CurrentItemID())
		require.NotNil(t, b.get(t, c).CompletedAt)
	}
}

// The history shows every state that the claim entered, with trigger and actor.
func TestHistory_everyStatePassed(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.openOne(t, seller, claim.Return)
	c = b.act(t, c, claim.Approve, claim.Values{})
	c = b.change(t, c, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision {
		return c.SetFreeze("kim", claim.FreezeDispute, "customer called", now)
	})
	c = b.change(t, c, func(c *claim.Claim, _ claim.Undone, now time.Time) claim.Decision { return c.LiftFreeze("kim", now) })
	c = b.act(t, c, claim.Pickup, hanjin)
	c = b.act(t, c, claim.CollectDone, claim.Values{})
	b.act(t, c, claim.Inspect, claim.Values{Result: claim.Fail, Memo: "worn"})
	require.Equal(t, []string{
		"request: → requested (customer )",
		"approve: requested → requested (api key-1)", "approve: requested → approved (api key-1)",
		"freeze: approved → approved (operator kim)",
		"unfreeze: approved → approved (operator kim)",
		"pickup: approved → approved (api key-1)", "pickup: approved → collecting (api key-1)",
		"collect-done: collecting → collecting (api key-1)", "collect-done: collecting → collected (api key-1)",
		"inspect: collected → collected (api key-1)",
		"inspect: collected → inspecting (api key-1)",
		"inspect: inspecting → rejected (api key-1)",
	}, b.texts(t, `select trigger || ':' || coalesce(' ' || from_status, '') || ' → ' || to_status || ' (' || actor || ' ' ||
		actor_name || ')'
		from history order by seq`))
	require.Equal(t, []string{"customer called"}, b.texts(t, "select memo from history where memo is not null"))
	require.Equal(t, []string{"worn"}, b.texts(t, "select memo from evidence where memo is not null"))
}

// Nothing is written when an action is already done or refused.
func TestChange_nothingToWrite(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.act(t, b.openOne(t, seller, claim.Return), claim.Approve, claim.Values{})
	again, err := b.store.Change(t.Context(), seller, c.No, deciding(claim.Approve, claim.Values{}))
	require.NoError(t, err)
	require.Equal(t, claim.AlreadyDone, again.Decision.Verdict)
	require.Equal(t, c, again.Claim)

	refused, err := b.store.Change(t.Context(), seller, c.No, deciding(claim.Inspect, pass))
	require.ErrorIs(t, err, apierr.IdempotencyUnresolved)
	require.Equal(t, c, refused.Claim)
	require.Equal(t, c, b.get(t, c))
	require.Len(t, b.texts(t, "select trigger from history"), 3, "the request, the registration, the approval")
}

// A registered action is kept until it is completed or withdrawn.
func TestChange_registeredCompletedOrTakenBack(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.openOne(t, seller, claim.Exchange)
	c = b.act(t, c, claim.Approve, claim.Values{})
	c = b.act(t, c, claim.Pickup, hanjin)
	c = b.act(t, c, claim.CollectDone, claim.Values{})
	c = b.act(t, c, claim.Inspect, pass)
	c = b.change(t, c, deciding(claim.Reship, hanjin))
	require.Equal(t, claim.Reship, b.get(t, c).Performed.Pending().Action)
	resumed, err := b.store.Change(t.Context(), seller, c.No, deciding(claim.Reship, hanjin))
	require.NoError(t, err)
	require.True(t, resumed.Decision.Resumed)
	require.Equal(t, c.UpdatedAt, b.get(t, c).UpdatedAt)

	c = b.change(t, c, abandoning)
	require.Nil(t, b.get(t, c).Performed.Of(claim.Reship))
	require.NotNil(t, b.get(t, c).Performed.Done(claim.Inspect))
}

// Another seller's claim can be neither read nor changed: it is not found.
func TestClaim_otherSellerNotFound(t *testing.T) {
	t.Parallel()
	b := setup(t)
	c := b.openOne(t, uuid.New(), claim.Return)
	stranger := uuid.New()
	_, err := b.store.Get(t.Context(), stranger, c.No)
	require.ErrorIs(t, err, apierr.ClaimNotFound)
	_, err = b.store.Change(t.Context(), stranger, c.No, deciding(claim.Approve, claim.Values{}))
	require.ErrorIs(t, err, apierr.ClaimNotFound)
	_, err = b.store.Convert(t.Context(), stranger, c.No, "R-1", nil)
	require.ErrorIs(t, err, apierr.ClaimNotFound)
	_, err = b.store.Seller(t.Context(), "none")
	require.ErrorIs(t, err, apierr.ClaimNotFound)
	owner, err := b.store.Seller(t.Context(), c.No)
	require.NoError(t, err)
	require.Equal(t, c.SellerID, owner)
	require.Equal(t, c, b.get(t, c))
}

// If a step cannot be planned, the change must be rolled back too, or the order would never be updated.
func TestChange_atomicWithSteps(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.change(t, b.openOne(t, seller, claim.Cancel), deciding(claim.Approve, claim.Values{}))
	c = b.get(t, c)
	_, err := b.Pool.Exec(t.Context(), "alter table steps add constraint broken check (name <> 'pay-refunds')")
	require.NoError(t, err)
	_, err = b.store.Change(t.Context(), seller, c.No, confirming(claim.Approve))
	require.ErrorContains(t, err, "broken")
	require.Equal(t, c, b.get(t, c))
	_, pending, err := b.store.Pending(t.Context(), seller, c.No)
	require.NoError(t, err)
	require.Equal(t, []claim.Step{claim.SealLines}, names(pending), "the step of the registration")
	require.Equal(t, []string{"approve"}, b.texts(t, "select action from evidence where pending"))
	require.Empty(t, b.texts(t, "select kind from refunds"))
}

// Concurrent calls perform an action once.
func TestChange_concurrentActionOnce(t *testing.T) {
	t.Parallel()
	b, seller := setup(t), uuid.New()
	c := b.openOne(t, seller, claim.Cancel)
	verdicts := make([]claim.Verdict, 16)
	var wg sync.WaitGroup
	for i := range verdicts {
		wg.Go(func() {
			_, err := b.store.Change(t.Context(), seller, c.No, deciding(claim.Approve, claim.Values{}))
			outcome, confirmed := b.store.Change(t.Context(), seller, c.No, confirming(claim.Approve))
			if err == nil && confirmed == nil {
				verdicts[i] = outcome.Decision.Verdict
			}
		})
	}
	wg.Wait()
	count := map[claim.Verdict]int{}
	for _, verdict := range verdicts {
		count[verdict]++
	}
	require.Equal(t, map[claim.Verdict]int{claim.Execute: 1, claim.AlreadyDone: 15}, count)
	require.Len(t, b.texts(t, "select kind from refunds"), 1)
}

// Two claims that together undo a whole purchase are approved concurrently: exactly one refunds the shipping.
func TestChange_shippingRefundedOnceInRace(t *testing.T) {
	t.Parallel()
	b := setup(t)
	for range 5 {
		seller := uuid.New()
		first := wanted(seller, claim.Cancel)
		second := wanted(seller, claim.Cancel)
		second.OrderNo = first.OrderNo
		second.Items[0].Quantity = 1
		claims := []claim.Claim{b.open(t, first), b.open(t, second)}
		var wg sync.WaitGroup
		refunds := make([]int64, len(claims))
		for i, c := range claims {
			wg.Go(func() {
				_, err := b.store.Change(t.Context(), seller, c.No, deciding(claim.Approve, claim.Values{}))
				outcome, confirmed := b.store.Change(t.Context(), seller, c.No, confirming(claim.Approve))
				if err == nil && confirmed == nil {
					refunds[i] = *outcome.Claim.Money.Refund
				}
			})
		}
		wg.Wait()
		require.Equal(t, int64(15000+3000), refunds[0]+refunds[1])
	}
}
