package e2e

import (
	"fmt"
	"net/http"
	"strings"
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

// Any difference in carrier, number or forwarding agent makes another shipment, and the refusal shows the
// stored one.
func TestShippedLine_otherParcelRefused(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, state := range []string{"shipping", "delivered", "confirmed"} {
		orderNo, ids := d.place(t, stacktest.InState(state))
		for _, request := range []body{
			shipped(ids...).with("carrier_name", "한진택배"), shipped(ids...).with("tracking_no", "612345678902"),
			shipped(ids...).with("logistics_company", "가온"), shipped(ids...).with("logistics_company", ""),
			shipped(ids...).with("logistics_company", logistics+" "), shipped(ids...).with("logistics_company", nil),
			shipped(ids...).without("logistics_company"),
		} {
			items := d.refused(t, "shipment", orderNo, request, http.StatusConflict, "SHIPMENT_STATE_CONFLICT")
			require.Equal(t, []any{map[string]any{
				"item_id": ids[0], "item_status": state,
				"carrier_name": carrierName, "tracking_no": trackingNo, "logistics_company": logistics,
			}}, items)
		}
	}
}

// A missing forwarding agent, null and an absent field are the same; an empty name is a different value.
func TestForwardingAgent_emptyIsNotNone(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t)
	d.done(t, "shipment", orderNo, shipped(ids...).without("logistics_company"))
	require.Nil(t, d.order(t, orderNo).Items[0].LogisticsCompany)
	require.True(t, d.done(t, "shipment", orderNo, shipped(ids...).with("logistics_company", nil)).Items[0].AlreadyDone)
	d.refused(t, "shipment", orderNo, shipped(ids...).with("logistics_company", ""), http.StatusConflict, "SHIPMENT_STATE_CONFLICT")
	orderNo, ids = d.place(t)
	d.done(t, "shipment", orderNo, shipped(ids...).with("logistics_company", ""))
	require.Equal(t, new(string), d.order(t, orderNo).Items[0].LogisticsCompany)
	require.True(t, d.done(t, "shipment", orderNo, shipped(ids...).with("logistics_company", "")).Items[0].AlreadyDone)
	d.refused(t, "shipment", orderNo, shipped(ids...).with("logistics_company", nil), http.StatusConflict, "SHIPMENT_STATE_CONFLICT")
}

// However a number is typed, it is stored, compared and returned in one form.
func TestShipment_spellingsConverge(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t)
	ship := func(number, carrier string) stacktest.Result {
		call := stacktest.PostJSON(t, "", "/open/v1/orders/"+orderNo+"/shipment", shipped(ids...).with("tracking_no", number).with("carrier_name", carrier))
		call.Beyond = carrier != carrierName // the contract tells clients to send the exact name
		return stacktest.RequireOK[stacktest.Result](t, d.client.Do(t, call))
	}
	first := ship("ａb-６１２３ 4567 8901", "  CJ대한통운 ")
	require.Equal(t, "AB612345678901", *first.Items[0].TrackingNo)
	require.Equal(t, carrierName, *first.Items[0].CarrierName)
	for _, number := range []string{
		"AB612345678901", "ab612345678901", "ＡＢ６１２３４５６７８９０１", "AB 6123 4567 8901", "ab-6123-4567-8901", "a.b.6123.4567.8901",
		"\u200bAB612345678901\u200b", "\u3000AB612345678901", "AB6123–4567–8901",
	} {
		result := ship(number, carrierName)
		require.True(t, result.Items[0].AlreadyDone, number)
		require.Equal(t, "AB612345678901", *result.Items[0].TrackingNo)
		require.Equal(t, first.UpdatedAt, result.UpdatedAt)
	}
	decomposed := "CJ\u1103\u1162\u1112\u1161\u11ab\u1110\u1169\u11bc\u110b\u116e\u11ab"
	require.True(t, ship("AB612345678901", decomposed).Items[0].AlreadyDone)
}

// refusedParcels are parcels that no shipment accepts, single or in a batch, with the refusal. If several
// things are wrong, the first in the order of the specification is reported.
var refusedParcels = []struct {
	name, carrier, number, logistics string
	status                           int
	code                             string
}{
	{"empty carrier", "", trackingNo, "", 422, "SHIPMENT_CARRIER_NOT_ALLOWED"},
	{"blank carrier", " \u3000", trackingNo, "", 422, "SHIPMENT_CARRIER_NOT_ALLOWED"},
	{"unknown carrier", "DHL", trackingNo, "", 422, "SHIPMENT_CARRIER_NOT_ALLOWED"},
	{"carrier spelled otherwise", "cj대한통운", trackingNo, "", 422, "SHIPMENT_CARRIER_NOT_ALLOWED"},
	{"empty number", carrierName, "", "", 400, "SHIPMENT_FIELDS_REQUIRED"},
	{"blank number", carrierName, " \u3000 ", "", 400, "SHIPMENT_FIELDS_REQUIRED"},
	{"number of fillers", carrierName, "\u3164\u200b-", "", 400, "SHIPMENT_FIELDS_REQUIRED"},
	{"empty carrier and number", "", "", "", 422, "SHIPMENT_CARRIER_NOT_ALLOWED"},
	{"control in carrier", "CJ\u0007", trackingNo, "", 400, "SHIPMENT_INPUT_INVALID"},
	{"control in number", carrierName, "6123\n", "", 400, "SHIPMENT_INPUT_INVALID"},
	{"control in agent", carrierName, trackingNo, "가온\u0000", 400, "SHIPMENT_INPUT_INVALID"},
	{"control after number", carrierName, trackingNo + "\u0085", "", 400, "SHIPMENT_INPUT_INVALID"},
	{"control before carrier", "", "\t", "", 400, "SHIPMENT_INPUT_INVALID"},
	{"control in agent before number", carrierName, "", "\u001f", 400, "SHIPMENT_INPUT_INVALID"},
}

// The parcel is checked before the order is looked up, and in the order of the specification.
func TestShipment_invalidParcelChecks(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	orderNo, ids := d.place(t)
	before := d.text(t, orderNo)
	for _, row := range refusedParcels {
		for no, id := range map[string]string{orderNo: ids[0], "T0": "x"} {
			request := body{"item_ids": []string{id}, "carrier_name": row.carrier, "tracking_no": row.number, "logistics_company": row.logistics}
			answer := d.do(t, "shipment", no, request)
			require.Equal(t, []any{row.status, row.code}, []any{answer.Status, answer.Code()}, "%s: %s", row.name, answer.Body)
			if row.code == "SHIPMENT_CARRIER_NOT_ALLOWED" {
				require.Equal(t, []any{"CJ대한통운", "우체국택배", "한진택배", "롯데택배", "로젠택배"}, answer.Meta.ErrorData["allowed"])
			}
		}
	}
	require.Equal(t, before, d.text(t, orderNo))
}

// A missing field is a mistake of shape, and the shape is checked first.
func TestParcel_missingFieldsInvalid(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	stacktest.RequireInvalid(t, d.do(t, "shipment", "T0", body{}), "item_ids", "carrier_name", "tracking_no")
	for _, field := range []string{"item_ids", "carrier_name", "tracking_no"} {
		stacktest.RequireInvalid(t, d.do(t, "shipment", "T0", shipped("x").without(field)), field)
		stacktest.RequireInvalid(t, d.do(t, "shipment", "T0", shipped("x").with(field, nil)), field)
		stacktest.RequireInvalid(t, d.do(t, "shipment", "T0", shipped("x").with(field, 7)), field)
	}
	stacktest.RequireInvalid(t, d.do(t, "shipment", "T0", shipped("x").with("logistics_company", 7)), "logistics_company")
	stacktest.RequireInvalid(t, d.do(t, "shipment", "T0", shipped("x").without("tracking_no").with("carrier_name", "")), "tracking_no")
	stacktest.RequireInvalid(t, d.do(t, "shipment", "T0", shipped("x").without("carrier_name").with("tracking_no", "\u0007")), "carrier_name")
	for field, most := range map[string]int{"carrier_name": 50, "tracking_no": 60, "logistics_company": 100} {
		stacktest.RequireInvalid(t, d.do(t, "shipment", "T0", shipped("x").with(field, strings.Repeat("가", most+1))), field)
		answer := d.do(t, "shipment", "T0", shipped("x").with(field, strings.Repeat("가", most)))
		require.NotEqual(t, "VALIDATION_ERROR", answer.Code(), field)
	}
}

// The five carriers are accepted, and a number that looks mistyped gets a warning but is never refused.
func TestTrackingNo_doubtfulWarnedAndAccepted(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, row := range []struct{ carrier, number, reason string }{
		{"CJ대한통운", "612345678904", ""}, {"CJ대한통운", "612345678901", "check_digit"}, {"CJ대한통운", "6123", "length"},
		{"CJ대한통운", "AB12345678901", "not_digits"}, {"우체국택배", "6012345678901", ""}, {"한진택배", "41234567890123", ""},
		{"롯데택배", "123456789012", "check_digit"}, {"로젠택배", "12345678901", ""}, {"로젠택배", "ㄱ", "not_digits"},
	} {
		orderNo, ids := d.place(t)
		result := d.done(t, "shipment", orderNo, shipped(ids...).with("carrier_name", row.carrier).with("tracking_no", row.number))
		require.Equal(t, "shipping", result.Items[0].ItemStatus)
		if row.reason == "" {
			require.Empty(t, result.Warnings, row)
			continue
		}
		require.Len(t, result.Warnings, 1, row)
		require.NotEmpty(t, result.Warnings[0].Message)
		result.Warnings[0].Message = ""
		require.Equal(t, stacktest.Warning{Field: "tracking_no", Code: "TRACKING_NO_SUSPICIOUS", Reason: row.reason}, result.Warnings[0])
	}
}

// A claim prevents a shipment, but a different shipment and a repetition are reported before the claim.
func TestClaimedLine_notShipped(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, state := range []string{"paid", "preparing"} {
		orderNo, ids := d.place(t, stacktest.InState(state))
		d.HoldLine(t, ids[0])
		items := d.refused(t, "shipment", orderNo, shipped(ids...), http.StatusConflict, "ORDER_ITEM_HAS_ACTIVE_CLAIM")
		require.Equal(t, []any{map[string]any{"item_id": ids[0], "item_status": state}}, items)
	}
	orderNo, ids := d.place(t, stacktest.InState("delivered"))
	d.HoldLine(t, ids[0])
	require.True(t, d.done(t, "shipment", orderNo, shipped(ids...)).Items[0].AlreadyDone)
	d.refused(t, "shipment", orderNo, shipped(ids...).with("tracking_no", "1"), http.StatusConflict, "SHIPMENT_STATE_CONFLICT")
}

// The replacement line of an exchange can be shipped only while its exchange is reshipping.
func TestShipment_exchangeLine(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for _, gate := range []string{"waiting", "ended"} {
		orderNo, ids := d.place(t)
		d.MakeExchangeLine(t, ids[0], gate)
		items := d.refused(t, "shipment", orderNo, shipped(ids...), http.StatusConflict, "EXCHANGE_ITEM_NOT_RESHIPPING")
		require.Equal(t, []any{map[string]any{"item_id": ids[0], "item_status": "paid"}}, items)
	}
	orderNo, ids := d.place(t)
	d.MakeExchangeLine(t, ids[0], "open")
	require.Equal(t, "shipping", d.done(t, "shipment", orderNo, shipped(ids...)).Items[0].ItemStatus)
	d.MakeExchangeLine(t, ids[0], "ended")
	require.True(t, d.done(t, "shipment", orderNo, shipped(ids...)).Items[0].AlreadyDone, "repeated after the exchange ended")
}

// Two concurrent shipments of one line in different parcels: one succeeds, the other is refused with the stored
// parcel.
func TestShipment_concurrentShipments(t *testing.T) {
	t.Parallel()
	d := openSession(t)
	for round := range 5 {
		orderNo, ids := d.place(t)
		calls := make([]stacktest.Call, 2)
		for i := range calls {
			request := shipped(ids...).with("tracking_no", fmt.Sprintf("61234567%d%d", round, i))
			calls[i] = stacktest.PostJSON(t, d.seller.Key, "/open/v1/orders/"+orderNo+"/shipment", request)
		}
		answers := d.Together(t, calls...)
		won := 0
		if answers[0].Status != http.StatusOK {
			won = 1
		}
		result := stacktest.RequireOK[stacktest.Result](t, answers[won])
		require.False(t, result.Items[0].AlreadyDone)
		stacktest.RequireFailure(t, answers[1-won], http.StatusConflict, "SHIPMENT_STATE_CONFLICT")
		now := d.order(t, orderNo)
		require.Equal(t, fmt.Sprintf("61234567%d%d", round, won), *now.Items[0].TrackingNo)
		require.Equal(t, result.UpdatedAt, now.UpdatedAt)
	}
}
