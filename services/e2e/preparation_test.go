package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// The rows of the transition table for preparation: what happens to a line in each state.
func TestPreparation_lineInEachState(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, state := range itemStates {
		orderNo, ids := d.place(t, stacktest.InState(state))
		before := d.order(t, orderNo)
		switch state {
		case "paid":
			result := d.done(t, "preparation", orderNo, of(ids...))
			after := d.order(t, orderNo)
			require.Equal(t, stacktest.Result{
				OrderNo: orderNo, OrderStatus: "preparing", UpdatedAt: after.UpdatedAt,
				Items: []stacktest.ResultItem{{ItemID: ids[0], ItemCode: orderNo + "-01", ItemStatus: "preparing"}},
			}, result)
			require.Greater(t, after.UpdatedAt, before.UpdatedAt)
			before.OrderStatus, before.UpdatedAt, before.Items[0].ItemStatus = "preparing", after.UpdatedAt, "preparing"
			require.Equal(t, before, after, "nothing else has changed")
		case "preparing":
			require.True(t, d.done(t, "preparation", orderNo, of(ids...)).Items[0].AlreadyDone)
			require.Equal(t, before, d.order(t, orderNo))
		default:
			items := d.refused(t, "preparation", orderNo, of(ids...), http.StatusConflict, "ORDER_ITEM_NOT_PREPARABLE")
			require.Equal(t, []any{map[string]any{"item_id": ids[0], "item_status": state}}, items)
		}
	}
}
