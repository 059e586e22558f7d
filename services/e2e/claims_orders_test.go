package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// Clients poll orders by updated_at: every change of a claim advances it, and the list and the detail show the
// changed order. Whoever sees an action, an end or the completion of a claim finds its order moved already.
func TestClaim_everyChangeMovesOrder(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	placed := d.PlaceNew(t, d.seller.ID, stacktest.Claimable(stacktest.Return))
	before := d.order(t, placed.GetOrderNo())
	moved := func(what string, isHeld bool) {
		t.Helper()
		after := d.awaitOrder(t, before.OrderNo, what+" moves it",
			func(o stacktest.Order) bool { return o.UpdatedAt > before.UpdatedAt })
		require.Equal(t, isHeld, after.Items[0].HasActiveClaim, what)
		found := d.client.List(t, "10", "updated_at_gte", after.UpdatedAt).List
		require.Contains(t, orderNos(found), before.OrderNo, what)
		before = after
	}
	claim := d.claimOn(t, placed, stacktest.Return)
	moved("the request", true)
	for _, step := range claimSteps[:3] {
		acted := d.acted(t, claim.ClaimNo, step.action, step.body)
		first := d.order(t, before.OrderNo).UpdatedAt
		require.Greater(t, first, before.UpdatedAt, step.action)
		require.Less(t, first, acted.UpdatedAt, step.action)
		moved(step.action, true)
	}
	d.FreezeClaim(t, claim.ClaimNo, "분쟁")
	moved("a freeze", true)
	d.UnfreezeClaim(t, claim.ClaimNo)
	moved("its end", true)
	d.HoldInspection(t, claim.ClaimNo)
	moved("a manual review", true)
	d.Payments.Tell(claim.ClaimNo, stacktest.NeedsAccount)
	d.ActAsOperator(t, claim.ClaimNo, "inspect", "", "")
	moved("the inspection", true)
	d.Payments.Tell(claim.ClaimNo, stacktest.Paid)
	d.AskAgain(t, claim.ClaimNo)
	done := d.client.AwaitClaim(t, claim.ClaimNo, "completed")
	require.Less(t, d.order(t, before.OrderNo).UpdatedAt, done.UpdatedAt)
	moved("the completion", false)
	require.Equal(t, "returned", before.Items[0].ItemStatus)

	other := d.PlaceNew(t, d.seller.ID, stacktest.Claimable(stacktest.Return))
	before = d.order(t, other.GetOrderNo())
	claim = d.claimOn(t, other, stacktest.Return)
	moved("the request", true)
	d.WithdrawClaim(t, claim.ClaimNo)
	moved("a withdrawal", false)
	claim = d.claimOn(t, other, stacktest.Return)
	moved("the next request", true)
	d.acted(t, claim.ClaimNo, "reject", rejection())
	moved("a rejection", false)
	require.Equal(t, "delivered", before.Items[0].ItemStatus)
}
