package e2e

import (
	"net/http"
	"testing"

	"github.com/google/uuid"
	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/e2e/stacktest"
)

const correction = "shipment/correction"

func (d *session) toCorrect(t *testing.T, orderNo string, request body) stacktest.Call {
	t.Helper()
	return stacktest.PostJSON(t, d.seller.Key, "/open/v1/orders/"+orderNo+"/"+correction, request)
}

// Without the marketplace's permission the answer is that of any unknown path, byte for byte, whatever order and body; and
// it does not use up the key, as a check of shipments does not. Afterwards the key has its first answer, also without the
// permission.
func TestCorrection_switchedOnAndOff(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	no, ids := d.place(t, stacktest.InState("shipping"))
	before, key := d.text(t, no), uuid.NewString()
	request := shipped(ids...).with("tracking_no", "612345678915")
	off := func(call stacktest.Call) {
		t.Helper()
		for _, language := range []string{"en", "ko"} {
			unknown := stacktest.Post(d.seller.Key, "/open/v1/orders/"+no+"/shipment/rectification", "{}")
			call.Header.Set("Accept-Language", language)
			unknown.Header.Set("Accept-Language", language)
			got, want := d.Do(t, fixed(call)), d.Do(t, fixed(unknown))
			stacktest.RequireFailure(t, got, http.StatusNotFound, "")
			require.Equal(t, string(want.Body), string(got.Body))
		}
	}
	batch := body{"items": []body{entryOf(no, ids...)}}
	require.Equal(t, http.StatusOK, d.client.Do(t, stacktest.PostJSON(t, "", checkPath, batch).Under(key)).Status)
	off(d.toCorrect(t, no, request).Under(key))
	off(d.toCorrect(t, "T0", request))
	off(d.toCorrect(t, no, body{"item_ids": 1}))
	off(d.toCorrect(t, no, shipped(ids...).with("carrier_name", "DHL")))
	require.Equal(t, before, d.text(t, no))

	d.PermitCorrection(t, d.seller.ID, true)
	call := d.toCorrect(t, no, request).Under(key)
	first := d.Do(t, call)
	require.False(t, stacktest.RequireOK[stacktest.Result](t, first).Items[0].AlreadyDone)
	other := d.toCorrect(t, no, shipped(ids...)).Under(key)
	stacktest.RequireFailure(t, d.Do(t, other), http.StatusConflict, "IDEMPOTENCY_KEY_REUSED")
	d.PermitCorrection(t, d.seller.ID, false)
	again := d.Do(t, call)
	require.Equal(t, first.Data, again.Data)
	require.Equal(t, "true", again.Header.Get(replayedHeader))
	off(d.toCorrect(t, no, request))
}

// Lines of two parcels come into a third one, and the history of the order has all three.
func TestCorrection_replacesParcel(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	d.PermitCorrection(t, d.seller.ID, true)
	no, ids := d.place(t, lines(3))
	d.done(t, "shipment", no, shipped(ids[0]))
	d.done(t, "shipment", no, shipped(ids[1:]...).with("tracking_no", "612345678904"))
	before := d.order(t, no)

	third := body{"item_ids": ids[:2], "carrier_name": carrierName, "tracking_no": "6123-4567-8905"}
	done := d.done(t, correction, no, third)
	require.Equal(t, "TRACKING_NO_SUSPICIOUS", done.Warnings[0].Code)
	after := d.order(t, no)
	require.Equal(t, done.UpdatedAt, after.UpdatedAt)
	require.Less(t, before.UpdatedAt, after.UpdatedAt)
	for i, tracking := range []string{"612345678905", "612345678905", "612345678904"} {
		require.Equal(t, tracking, *after.Items[i].TrackingNo)
		require.Equal(t, "shipping", after.Items[i].ItemStatus)
		require.Equal(t, before.Items[i].ShippedAt, after.Items[i].ShippedAt)
	}
	happened, _ := d.happenings(t, "/open/v1/orders/"+no)
	require.Equal(t, []string{
		"system status paid", "seller parcel 612345678901", "seller status shipping", "seller parcel 612345678904",
		"seller status shipping", "seller parcel 612345678905",
	}, happened)

	for _, item := range d.done(t, correction, no, third).Items {
		require.True(t, item.AlreadyDone)
		require.Equal(t, carrierName, *item.CarrierName)
	}
	require.Equal(t, after, d.order(t, no), "the same again changes nothing")
	require.Len(t, d.done(t, "delivery", no, of(ids...)).Items, 3)
	require.True(t, d.done(t, correction, no, third).Items[0].AlreadyDone, "delivered in that parcel")
}

// Every refusal of a correction, which changes nothing: of lines that have no parcel to correct, are claimed, delivered or the
// end of an exchange, of values that no shipment may have, and of others' orders and keys.
func TestCorrection_refusals(t *testing.T) {
	t.Parallel()
	d, other := openSession(t), openSession(t)
	for _, one := range []*session{d, other} {
		one.PermitCorrection(t, one.seller.ID, true)
	}
	for _, row := range []struct {
		state  string
		change func(t *testing.T, d *session, id string)
		status int
		code   string
	}{
		{"paid", nil, 409, "ORDER_ITEM_NOT_SHIPPABLE"},
		{"canceled", nil, 409, "ORDER_ITEM_NOT_SHIPPABLE"},
		{"delivered", nil, 409, "SHIPMENT_STATE_CONFLICT"},
		{"shipping", func(t *testing.T, d *session, id string) { t.Helper(); d.HoldLine(t, id) }, 409, "ORDER_ITEM_HAS_ACTIVE_CLAIM"},
		{
			"shipping", func(t *testing.T, d *session, id string) { t.Helper(); d.MakeExchangeLine(t, id, "ended") }, 409,
			"EXCHANGE_ITEM_NOT_RESHIPPING",
		},
	} {
		no, ids := d.place(t, stacktest.InState(row.state))
		if row.change != nil {
			row.change(t, d, ids[0])
		}
		items := d.refused(t, correction, no, shipped(ids...).with("tracking_no", "612345678915"), row.status, row.code)
		require.Len(t, items, 1)
	}
	no, ids := d.place(t, stacktest.InState("shipping"))
	for _, row := range []struct {
		request body
		status  int
		code    string
	}{
		{shipped(ids...).with("tracking_no", " "), 400, "SHIPMENT_FIELDS_REQUIRED"},
		{shipped(ids...).with("tracking_no", "1\n"), 400, "SHIPMENT_INPUT_INVALID"},
		{shipped(ids...).with("carrier_name", "CJGLS"), 422, "SHIPMENT_CARRIER_NOT_ALLOWED"},
		{shipped(ids...).without("carrier_name"), 422, "VALIDATION_ERROR"},
		{shipped(ids[0], uuid.NewString()).with("tracking_no", "612345678915"), 404, "ORDER_ITEM_NOT_FOUND"},
	} {
		d.refused(t, correction, no, row.request, row.status, row.code)
	}
	foreign := other.toCorrect(t, no, shipped(ids...).with("tracking_no", "612345678915"))
	stacktest.RequireFailure(t, other.Do(t, foreign), http.StatusNotFound, "ORDER_NOT_FOUND")
	reading := d.toCorrect(t, no, shipped(ids...).with("tracking_no", "612345678915"))
	reading.Key, _ = d.IssueKey(t, d.seller.ID, "orders:read")
	stacktest.RequireFailure(t, d.Do(t, reading), http.StatusForbidden, "SCOPE_FORBIDDEN")
	require.Contains(t, d.text(t, no), trackingNo)
}
