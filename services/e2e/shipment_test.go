package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// The rows of the transition table for shipment, including the one that skips the preparation.
func TestShipment_lineInEachState(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, state := range itemStates {
		orderNo, ids := d.place(t, stacktest.InState(state))
		before := d.order(t, orderNo)
		switch state {
		case "paid", "preparing":
			requireShips(t, d, orderNo, ids[0], before)
		case "shipping", "delivered", "confirmed":
			result := d.done(t, "shipment", orderNo, shipped(ids...))
			require.True(t, result.Items[0].AlreadyDone)
			require.Equal(t, state, result.Items[0].ItemStatus, "the line's current state")
			require.Equal(t, before, d.order(t, orderNo))
		default:
			items := d.refused(t, "shipment", orderNo, shipped(ids...), http.StatusConflict, "ORDER_ITEM_NOT_SHIPPABLE")
			require.Equal(t, []any{map[string]any{"item_id": ids[0], "item_status": state}}, items)
		}
	}
}

func requireShips(t *testing.T, d *session, orderNo, id string, before stacktest.Order) {
	t.Helper()
	parcel := []string{trackingNo, carrierName, logistics}
	result := d.done(t, "shipment", orderNo, shipped(id))
	after := d.order(t, orderNo)
	result.Warnings = nil
	require.Equal(t, stacktest.Result{
		OrderNo: orderNo, OrderStatus: "shipping", UpdatedAt: after.UpdatedAt,
		Items: []stacktest.ResultItem{{
			ItemID: id, ItemCode: orderNo + "-01", ItemStatus: "shipping", TrackingNo: &parcel[0], CarrierName: &parcel[1],
		}},
	}, result)
	require.NotNil(t, after.Items[0].ShippedAt)
	require.Greater(t, after.UpdatedAt, before.UpdatedAt)
	was := before.Items[0].ItemStatus
	before.OrderStatus, before.UpdatedAt = "shipping", after.UpdatedAt
	item := &before.Items[0]
	item.ItemStatus, item.ShippedAt = "shipping", after.Items[0].ShippedAt
	item.TrackingNo, item.CarrierName, item.LogisticsCompany = &parcel[0], &parcel[1], &parcel[2]
	require.Equal(t, before, after, "nothing else has changed")
	prepared := d.client.List(t, "10", "order_no", orderNo, "status_changed_to", "preparing", "status_changed_at_gte", "2020-01-01T00:00:00Z")
	require.Equal(t, was == "preparing", len(prepared.List) == 1, "a line that was paid never was preparing")
}
