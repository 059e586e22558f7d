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

// The results of shipments and deliveries name parcels, those of preparations do not.
func TestPreparation_resultWithoutParcel(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t)
	var result struct {
		Items []map[string]any `json:"items"`
	}
	require.NoError(t, json.Unmarshal(d.do(t, "preparation", orderNo, of(ids...)).Data, &result))
	require.Equal(t, []map[string]any{{
		"item_id": ids[0], "item_code": orderNo + "-01", "item_status": "preparing", "already_done": false,
	}}, result.Items)
}

// A claim prevents a change, but not the answer that there is nothing to change.
func TestClaimedLine_notPrepared(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t)
	d.HoldLine(t, ids[0])
	items := d.refused(t, "preparation", orderNo, of(ids...), http.StatusConflict, "ORDER_ITEM_HAS_ACTIVE_CLAIM")
	require.Equal(t, []any{map[string]any{"item_id": ids[0], "item_status": "paid"}}, items)
	orderNo, ids = d.place(t, stacktest.InState("preparing"))
	d.HoldLine(t, ids[0])
	require.True(t, d.done(t, "preparation", orderNo, of(ids...)).Items[0].AlreadyDone)
}

// The replacement line of an exchange cannot be prepared until the exchange is reshipping.
func TestPreparation_exchangeLine(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t)
	d.MakeExchangeLine(t, ids[0], "waiting")
	items := d.refused(t, "preparation", orderNo, of(ids...), http.StatusConflict, "EXCHANGE_ITEM_NOT_PREPARABLE")
	require.Equal(t, []any{map[string]any{"item_id": ids[0], "item_status": "paid"}}, items)
	d.MakeExchangeLine(t, ids[0], "open")
	require.Equal(t, "preparing", d.done(t, "preparation", orderNo, of(ids...)).Items[0].ItemStatus)
	require.True(t, d.order(t, orderNo).Items[0].IsExchange)
}

// A line that was prepared through the API is found by the status-change filter.
func TestPreparation_inHistory(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t)
	query := []string{"status_changed_to", "preparing", "status_changed_at_gte", "2020-01-01T00:00:00Z"}
	require.Empty(t, d.client.List(t, "10", query...).List)
	d.done(t, "preparation", orderNo, of(ids...))
	require.Equal(t, []string{orderNo}, orderNos(d.client.List(t, "10", query...).List))
	require.Equal(t, []string{orderNo}, orderNos(d.client.List(t, "10", "item_status", "preparing").List))
	require.Empty(t, d.client.List(t, "10", "item_status", "paid").List)
}
