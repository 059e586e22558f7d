package e2e

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

// toShip is a request to ship lines in the parcel that the tests reship exchanges in.
func toShip(ids ...string) body {
	return body{"item_ids": ids, "carrier_name": "로젠택배", "tracking_no": reshipNo}
}

// requireBarred checks that a line can be shipped neither alone nor in a batch, because its exchange is not reshipping.
func (d *session) requireBarred(t *testing.T, orderNo, id string) {
	t.Helper()
	d.refused(t, "shipment", orderNo, toShip(id), http.StatusConflict, "EXCHANGE_ITEM_NOT_RESHIPPING")
	before := d.text(t, orderNo)
	result := d.batchDone(t, toShip(id).with("order_no", orderNo))
	requireFailed(t, []stacktest.BatchFailed{{
		OrderNo: orderNo, ItemIDs: []string{id},
		ErrorCode: "EXCHANGE_ITEM_NOT_RESHIPPING",
	}}, result.Failed)
	require.Equal(t, before, d.text(t, orderNo))
}

func (d *session) reshippingLine(t *testing.T) (stacktest.Claim, stacktest.Item) {
	t.Helper()
	claim := d.claimIn(t, stacktest.Exchange, "reshipping")
	return claim, line(t, d.order(t, claim.OrderNo), "02")
}

// A seller who ships the new line with the shipment call of the order has not finished the exchange: that takes a reshipment, in
// the same parcel. After the end of the exchange, the shipment can still be repeated.
func TestExchange_notFinishedByShipment(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim, fresh := d.reshippingLine(t)
	require.Equal(t, "preparing", d.done(t, "preparation", claim.OrderNo, of(fresh.ItemID)).Items[0].ItemStatus)
	require.Equal(t, "shipping", d.done(t, "shipment", claim.OrderNo, toShip(fresh.ItemID)).Items[0].ItemStatus)
	require.Equal(t, claim, d.client.Claim(t, claim.ClaimNo), "the claim is unchanged")
	order := d.order(t, claim.OrderNo)
	require.Equal(t, []string{"delivered", "shipping"}, states(order))
	require.True(t, order.Items[0].HasActiveClaim)

	before := d.text(t, claim.OrderNo)
	answer := d.act(t, claim.ClaimNo, "reship", otherValues["reship"])
	stacktest.RequireFailure(t, answer, http.StatusConflict, "CLAIM_NOT_RESHIPPABLE")
	require.Equal(t, "reshipping", answer.Meta.ErrorData["status"])
	require.Equal(t, "parcel", answer.Meta.ErrorData["reason"])
	require.Equal(t, claim, d.client.Claim(t, claim.ClaimNo), "the refused reshipment changes nothing")
	require.Equal(t, before, d.text(t, claim.OrderNo))

	done := d.acted(t, claim.ClaimNo, "reship", requestBody("reship"))
	require.Equal(t, "completed", done.Status)
	require.Equal(t, []string{"exchanged", "shipping"}, states(d.order(t, claim.OrderNo)))
	d.requireShippedLikeThat(t, claim.OrderNo, fresh.ItemID)
}

// requireShippedLikeThat checks that a shipment can still be repeated with the shipment calls of the order, and that a different
// one is refused.
func (d *session) requireShippedLikeThat(t *testing.T, orderNo, id string) {
	t.Helper()
	before := d.text(t, orderNo)
	require.True(t, d.done(t, "shipment", orderNo, toShip(id)).Items[0].AlreadyDone)
	require.Equal(t, []string{id}, d.batchDone(t, toShip(id).with("order_no", orderNo)).Succeeded)
	require.Equal(t, before, d.text(t, orderNo))
	d.refused(t, "shipment", orderNo, toShip(id).with("tracking_no", "512345678902"), http.StatusConflict, "SHIPMENT_STATE_CONFLICT")
}
