package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/services/orders/internal/order"
)

const correctionPath = "/open/v1/orders/G-1/shipment/correction"

func (s *fixture) permit(may bool) {
	s.t.Helper()
	require.NoError(s.t, s.store.SetPolicy(s.t.Context(), s.seller, order.Policy{ShipmentCorrection: may}))
}

// For a seller who may not correct parcels there is nothing at the path: not for an order that exists, one that does not, nor a
// malformed body; and the key is not used up.
func TestCorrection_offIsUnknownPath(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", []order.State{order.Shipping})
	good := body(itemIDs(1), parcelOf("한진택배", "412345678901"))
	unknown := s.post("/open/v1/orders/G-1/shipment/rectification", good)
	require.Equal(t, http.StatusNotFound, unknown.status)
	require.Empty(t, unknown.code())
	k := newKey()
	for range 2 {
		for _, content := range []string{good, "", "{}", "[", body(itemIDs(1), parcelOf("DHL", " "))} {
			for _, path := range []string{correctionPath, strings.Replace(correctionPath, "G-1", "NONE", 1)} {
				require.Equal(t, unknown.body, s.postWith(path, content, k).body, content)
			}
		}
		s.permit(false)
	}
	s.permit(true)
	first := s.postWith(correctionPath, good, k)
	require.Equal(t, []string{"shipping"}, first.processed(t).states())
	s.permit(false)
	require.Equal(t, first.body, s.postWith(correctionPath, good, k).body, "what was answered is replayed")
	require.Equal(t, unknown.body, s.post(correctionPath, good).body)
}

// The result of a correction in each state of an item: into the parcel that it has, and into another one.
func TestCorrection_everyState(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", everyState()...)
	s.permit(true)
	const unshipped, conflict = "ORDER_ITEM_NOT_SHIPPABLE", "SHIPMENT_STATE_CONFLICT"
	for i, want := range [8][2]string{
		{unshipped, unshipped},
		{unshipped, unshipped},
		{"shipping already", "shipping"},
		{"delivered already", conflict},
		{"confirmed already", conflict},
		{unshipped, unshipped},
		{unshipped, unshipped},
		{unshipped, unshipped},
	} {
		for k, parcel := range []string{goodParcel, parcelOf("한진택배", "412345678901")} {
			before := s.get("/open/v1/orders/G-1").body
			a := s.post(correctionPath, body(itemIDs(i+1), parcel))
			got := a.code()
			if a.status == http.StatusOK {
				got = a.processed(t).states()[0]
			}
			require.Equal(t, want[k], got, "item %d", i+1)
			require.Equal(t, got == "shipping", before != s.get("/open/v1/orders/G-1").body, "changed only then")
		}
	}
}

// The values are read by the rules of a shipment, in the same order, and a doubtful number is warned of.
func TestCorrection_valuesAsOfShipment(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", []order.State{order.Shipping})
	s.permit(true)
	for content, code := range map[string]string{
		body(itemIDs(1)): "VALIDATION_ERROR",
		body(goodParcel): "VALIDATION_ERROR",
		body(nothing, parcelOf("한진택배", "1\n")):      "SHIPMENT_INPUT_INVALID",
		body(nothing, parcelOf("DHL", "")):          "SHIPMENT_CARRIER_NOT_ALLOWED",
		body(nothing, parcelOf("한진택배", " - ")):      "SHIPMENT_FIELDS_REQUIRED",
		body(nothing, parcelOf("한진택배", "1")):        "ORDER_ITEM_NOT_FOUND",
		body(itemIDs(99), parcelOf("한진택배", "1")):    "ORDER_ITEM_NOT_FOUND",
		body(itemIDs(1, 99), parcelOf("한진택배", "1")): "ORDER_ITEM_NOT_FOUND",
	} {
		require.Equal(t, code, s.post(correctionPath, content).code(), content)
	}
	done := s.post(correctionPath, body(itemIDs(1), parcelOf(" CJ대한통운", "6123-4567-8905"))).processed(t)
	require.Equal(t, "612345678905", *done.Items[0].TrackingNo)
	require.Equal(t, "TRACKING_NO_SUSPICIOUS", done.Warnings[0]["code"])
}
