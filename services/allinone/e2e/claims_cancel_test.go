package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/stack/stacktest"
)

// Approving a cancel is all that a seller does: the refund starts, and with it done the claim is completed and the
// line canceled.
func TestAnApprovedCancelRefundsAndCancelsTheLine(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	claim := d.newClaim(t, stacktest.Cancel)
	require.True(t, d.order(t, claim.OrderNo).Items[0].HasActiveClaim)
	approved := d.acted(t, claim.ClaimNo, "approve", nil)
	require.Contains(t, []string{"refund_processing", "completed"}, approved.Status)
	done := d.client.AwaitClaim(t, claim.ClaimNo, "completed")
	require.Empty(t, done.AvailableActions)
	order := d.awaitOrder(t, claim.OrderNo, "the line is canceled", func(o stacktest.Order) bool { return o.OrderStatus == "canceled" })
	require.Equal(t, []string{"canceled"}, states(order))
	require.False(t, order.Items[0].HasActiveClaim)
	require.Equal(t, *done.RefundAmount, d.Payments.Asked(claim.ClaimNo)[0].Amount)
}

// A rejected cancel gives the line back.
func TestARejectedCancelGivesTheLineBack(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	claim := d.newClaim(t, stacktest.Cancel)
	rejected := d.acted(t, claim.ClaimNo, "reject", requestBody("reject"))
	require.Equal(t, "rejected", rejected.Status)
	require.NotNil(t, rejected.CompletedAt)
	require.Nil(t, rejected.RefundAmount)
	order := d.awaitOrder(t, claim.OrderNo, "the line is free", func(o stacktest.Order) bool { return !o.Items[0].HasActiveClaim })
	require.Equal(t, []string{"paid"}, states(order))
	require.Empty(t, d.Payments.Asked(claim.ClaimNo))
	d.actRefused(t, claim.ClaimNo, "approve", nil, http.StatusConflict, "IDEMPOTENCY_UNRESOLVED")
}
