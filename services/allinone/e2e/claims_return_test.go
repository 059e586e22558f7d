package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/allinone/stack/stacktest"
)

// A return goes through all its states, and ends with the line returned and the money on its way.
func TestAReturnGoesItsWholeWay(t *testing.T) {
	t.Parallel()
	d := openDesk(t)
	claim := d.claimIn(t, stacktest.Return, "approved")
	for _, status := range []string{"collecting", "collected", "completed"} {
		claim = d.advance(t, claim, status)
		require.Equal(t, status, claim.Status)
	}
	order := d.awaitOrder(t, claim.OrderNo, "the line is returned", func(o stacktest.Order) bool { return o.Items[0].ItemStatus == "returned" })
	require.False(t, order.Items[0].HasActiveClaim)
}
