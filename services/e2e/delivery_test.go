package e2e

import (
	"encoding/json"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// The rows of the transition table for delivery: what happens to a line in each state.
func TestDelivery_lineInEachState(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, state := range itemStates {
		orderNo, ids := d.place(t, stacktest.InState(state))
		before := d.order(t, orderNo)
		switch state {
		case "shipping":
			result := d.done(t, "delivery", orderNo, of(ids...))
			after := d.order(t, orderNo)
			parcel := []string{trackingNo, carrierName}
			require.Equal(t, stacktest.Result{
				OrderNo: orderNo, OrderStatus: "delivered", UpdatedAt: after.UpdatedAt,
				Items: []stacktest.ResultItem{{
					ItemID: ids[0], ItemCode: orderNo + "-01", ItemStatus: "delivered", TrackingNo: &parcel[0], CarrierName: &parcel[1],
				}},
			}, result)
			require.NotNil(t, after.Items[0].DeliveredAt)
			require.Greater(t, after.UpdatedAt, before.UpdatedAt)
			before.OrderStatus, before.UpdatedAt = "delivered", after.UpdatedAt
			before.Items[0].ItemStatus, before.Items[0].DeliveredAt = "delivered", after.Items[0].DeliveredAt
			require.Equal(t, before, after, "nothing else has changed")
		case "delivered", "confirmed":
			result := d.done(t, "delivery", orderNo, of(ids...))
			require.True(t, result.Items[0].AlreadyDone)
			require.Equal(t, state, result.Items[0].ItemStatus, "the line's current state")
			require.Equal(t, trackingNo, *result.Items[0].TrackingNo)
			require.Equal(t, before, d.order(t, orderNo))
		default:
			items := d.refused(t, "delivery", orderNo, of(ids...), http.StatusConflict, "ORDER_ITEM_NOT_DELIVERABLE")
			require.Equal(t, []any{map[string]any{"item_id": ids[0], "item_status": state}}, items)
		}
	}
}

// The delivery starts the period after which the purchase is confirmed automatically.
func TestDelivery_setsConfirmationDeadline(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t, stacktest.InState("shipping"))
	deadline := func() (deadline *string) {
		var order struct {
			Items []struct {
				AutoConfirmAt *string `json:"auto_confirm_at"`
			} `json:"items"`
		}
		require.NoError(t, json.Unmarshal([]byte(d.text(t, orderNo)), &order))
		return order.Items[0].AutoConfirmAt
	}
	require.Nil(t, deadline())
	d.done(t, "delivery", orderNo, of(ids...))
	require.NotNil(t, deadline())
	require.Greater(t, *deadline(), *d.order(t, orderNo).Items[0].DeliveredAt)
	require.Equal(t, []string{orderNo}, orderNos(d.client.List(t, "10",
		"status_changed_to", "delivered", "status_changed_at_gte", *d.order(t, orderNo).Items[0].DeliveredAt).List))
}
