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
	requireFailed(t, []stacktest.BatchFailed{{OrderNo: orderNo, ItemIDs: []string{id}, ErrorCode: "EXCHANGE_ITEM_NOT_RESHIPPING"}}, result.Failed)
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

// A seller who has shipped two new lines in two parcels has nothing left to ship: the reshipment can name either parcel and
// completes the exchange. Before that, while one line is not shipped, the reshipment must name the parcel of the other.
func TestReshipment_linesInTwoParcels(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, named := range []string{reshipNo, "512345678902"} {
		order := d.delivered(t, goods(1, 9900, 0), goods(1, 5000, 0))
		claim := d.advance(t, d.claimOn(t, order, stacktest.Exchange), "reshipping")
		fresh := d.order(t, claim.OrderNo).Items[2:]
		d.done(t, "shipment", claim.OrderNo, toShip(fresh[0].ItemID))
		answer := d.act(t, claim.ClaimNo, "reship", reshipmentIn("512345678902"))
		stacktest.RequireFailure(t, answer, http.StatusConflict, "CLAIM_NOT_RESHIPPABLE")
		require.Equal(t, "parcel", answer.Meta.ErrorData["reason"])
		d.done(t, "shipment", claim.OrderNo, toShip(fresh[1].ItemID).with("tracking_no", "512345678902"))
		answer = d.act(t, claim.ClaimNo, "reship", reshipmentIn("512345678903"))
		stacktest.RequireFailure(t, answer, http.StatusConflict, "CLAIM_NOT_RESHIPPABLE")
		before := d.order(t, claim.OrderNo)

		done := d.acted(t, claim.ClaimNo, "reship", reshipmentIn(named))
		require.Equal(t, []string{"completed", named}, []string{done.Status, *done.ReshipTrackingNo})
		after := d.order(t, claim.OrderNo)
		require.Equal(t, []string{"exchanged", "exchanged", "shipping", "shipping"}, states(after))
		require.Equal(t, before.Items[2:], after.Items[2:], "each line is in its own parcel")
		d.requireDone(t, claim.ClaimNo, "reship", reshipmentIn(named))
		for _, number := range []string{reshipNo, "512345678902", "512345678903"} {
			if number != named {
				d.requireUnresolved(t, claim.ClaimNo, "reship", reshipmentIn(number))
			}
		}
	}
}

func reshipmentIn(number string) body {
	return body{"carrier_name": "로젠택배", "tracking_no": number}
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

// The shipment that a reshipment made can be repeated with the shipment call of the order, and the line can be delivered.
func TestReshippedLine_shippedLikeAnyOther(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim, fresh := d.reshippingLine(t)
	d.advance(t, claim, "completed")
	d.requireShippedLikeThat(t, claim.OrderNo, fresh.ItemID)
	d.refused(t, "preparation", claim.OrderNo, of(fresh.ItemID), http.StatusConflict, "ORDER_ITEM_NOT_PREPARABLE")
	require.Equal(t, "delivered", d.done(t, "delivery", claim.OrderNo, of(fresh.ItemID)).Items[0].ItemStatus)
	require.Equal(t, "delivered", d.order(t, claim.OrderNo).OrderStatus)
}

// A line that was meanwhile shipped and delivered with the calls of the order accepts a reshipment in the same parcel.
func TestReshipment_deliveredGoodsComplete(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim, fresh := d.reshippingLine(t)
	d.done(t, "shipment", claim.OrderNo, toShip(fresh.ItemID).with("logistics_company", "가온물류"))
	d.done(t, "delivery", claim.OrderNo, of(fresh.ItemID))
	d.advance(t, claim, "completed")
	order := d.order(t, claim.OrderNo)
	require.Equal(t, []string{"exchanged", "delivered"}, states(order))
	require.Equal(t, "가온물류", *order.Items[1].LogisticsCompany, "a reshipment keeps the logistics company")
}

// After the end of its exchange a line cannot be shipped, neither alone nor in a batch: not when a return has replaced the
// exchange, and not when an operator has undone the shipment.
func TestShipment_endedExchange(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	converted, canceled := d.reshippingLine(t)
	d.ConvertToReturn(t, converted.ClaimNo)
	order := d.awaitOrder(t, converted.OrderNo, "the new line is canceled", func(o stacktest.Order) bool { return o.Items[1].ItemStatus == "canceled" })
	require.Equal(t, canceled.ItemID, order.Items[1].ItemID)
	d.requireBarred(t, converted.OrderNo, canceled.ItemID)
	d.refused(t, "preparation", converted.OrderNo, of(canceled.ItemID), http.StatusConflict, "ORDER_ITEM_NOT_PREPARABLE")

	claim, fresh := d.reshippingLine(t)
	d.advance(t, claim, "completed")
	_, err := d.correct(t, claim.OrderNo, fresh.ItemID, "preparing", nil, act())
	require.NoError(t, err)
	d.requireBarred(t, claim.OrderNo, fresh.ItemID)
}

// Once the new goods are decided on, no operator can move the old line out of delivered, so that the reshipment always remains
// possible.
func TestReshipment_oldLineSealed(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim, fresh := d.reshippingLine(t)
	_, err := d.correct(t, claim.OrderNo, claim.Items[0].ItemID, "shipping", nil, act())
	require.Equal(t, claim.ClaimNo, stacktest.RequireRefusal(t, err, "ORDER_ITEM_HAS_ACTIVE_CLAIM")["claim_no"])
	require.Equal(t, claim, d.client.Claim(t, claim.ClaimNo))
	require.Equal(t, "completed", d.acted(t, claim.ClaimNo, "reship", requestBody("reship")).Status)

	// The parcel that the new line actually travels in can be corrected while it is in transit and after its delivery.
	for _, state := range []string{"shipping", "delivered", "delivered"} {
		parcel := newParcel()
		if d.order(t, claim.OrderNo).Items[1].ItemStatus == "delivered" {
			parcel.TrackingNo = "412345678909"
		}
		changed, err := d.correct(t, claim.OrderNo, fresh.ItemID, state, parcel, act())
		require.NoError(t, err)
		require.True(t, changed)
		item := d.order(t, claim.OrderNo).Items[1]
		require.Equal(t, []string{state, "한진택배"}, []string{item.ItemStatus, *item.CarrierName})
	}
	require.Equal(t, "412345678909", *d.order(t, claim.OrderNo).Items[1].TrackingNo)
}

// A new line that another claim holds cannot be shipped now: the reshipment is registered and the response says so, no other action
// can replace it, and the same call completes the exchange once the line is free.
func TestReshipment_heldLineCompletesLater(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	claim, fresh := d.reshippingLine(t)
	d.HoldLine(t, fresh.ItemID)
	answer := d.act(t, claim.ClaimNo, "reship", requestBody("reship"))
	stacktest.RequireFailure(t, answer, http.StatusConflict, "EXCHANGE_ITEM_SHIP_FAILED")
	now := d.client.Claim(t, claim.ClaimNo)
	require.Equal(t, []string{"reshipping", "로젠택배", reshipNo}, []string{now.Status, *now.ReshipCarrier, *now.ReshipTrackingNo})
	require.Equal(t, []string{"delivered", "paid"}, states(d.order(t, claim.OrderNo)))
	d.requireUnresolved(t, claim.ClaimNo, "reship", otherValues["reship"])
	d.freeLine(t, fresh.ItemID)
	done := stacktest.RequireOK[stacktest.Claim](t, d.act(t, claim.ClaimNo, "reship", requestBody("reship")))
	require.Equal(t, "completed", done.Status)
	require.Equal(t, []string{"exchanged", "shipping"}, states(d.order(t, claim.OrderNo)))
}

// freeLine undoes HoldLine.
func (d *session) freeLine(t *testing.T, itemID string) {
	t.Helper()
	freed, err := d.SQL(t).Exec(t.Context(), "update orders.lines set has_active_claim = false, claim_no = null where item_id = $1", itemID)
	require.NoError(t, err)
	require.EqualValues(t, 1, freed.RowsAffected())
}
