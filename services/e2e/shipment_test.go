package e2e

import (
	"encoding/json"
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
	prepared := d.client.List(t, "10", "order_no", orderNo, "status_changed_to", "preparing", "status_changed_at_gte",
		"2020-01-01T00:00:00Z")
	require.Equal(t, was == "preparing", len(prepared.List) == 1, "a line that was paid never was preparing")
}

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
