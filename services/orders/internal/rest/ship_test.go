package rest_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"sellerapi.dev/services/orders/internal/order"
)

const nothing = `"item_ids":["not an item"]`

// The first error is reported, in the order of the API: form, control characters, carrier, tracking number, order, items. Each
// call also has all errors that come later.
func TestShipment_orderOfChecks(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", []order.State{order.Canceled})
	long := strings.Repeat("1", 61)
	for _, c := range []struct {
		name, no, body string
		status         int
		code           string
	}{
		{"carrier missing", "UNKNOWN", body(nothing, `"tracking_no":"\u0007"`), 422, "VALIDATION_ERROR"},
		{"tracking number missing", "UNKNOWN", body(nothing, `"carrier_name":""`), 422, "VALIDATION_ERROR"},
		{"tracking number null", "UNKNOWN", body(nothing, `"carrier_name":"","tracking_no":null`), 422, "VALIDATION_ERROR"},
		{"carrier a number", "UNKNOWN", body(nothing, `"carrier_name":1,"tracking_no":""`), 422, "VALIDATION_ERROR"},
		{"carrier too long", "UNKNOWN", body(nothing, parcelOf(strings.Repeat("가", 51), "")), 422, "VALIDATION_ERROR"},
		{"tracking number too long", "UNKNOWN", body(nothing, parcelOf("", long)), 422, "VALIDATION_ERROR"},
		{
			"company too long", "UNKNOWN", body(nothing, parcelOf("", ""), `"logistics_company":"`+strings.Repeat("가", 101)+`"`),
			422, "VALIDATION_ERROR",
		},
		{"control in the carrier", "UNKNOWN", body(nothing, `"carrier_name":"CJ\n","tracking_no":""`), 400, "SHIPMENT_INPUT_INVALID"},
		{"control in the number", "UNKNOWN", body(nothing, `"carrier_name":"","tracking_no":"1\u0000"`), 400, "SHIPMENT_INPUT_INVALID"},
		{
			"control in the company", "UNKNOWN", body(nothing, `"carrier_name":"","tracking_no":"","logistics_company":"\t"`), 400,
			"SHIPMENT_INPUT_INVALID",
		},
		{"carrier empty", "UNKNOWN", body(nothing, parcelOf("", "")), 422, "SHIPMENT_CARRIER_NOT_ALLOWED"},
		{"carrier blank", "UNKNOWN", body(nothing, parcelOf("  ", "")), 422, "SHIPMENT_CARRIER_NOT_ALLOWED"},
		{"carrier unknown", "UNKNOWN", body(nothing, parcelOf("DHL", "")), 422, "SHIPMENT_CARRIER_NOT_ALLOWED"},
		{"number empty", "UNKNOWN", body(nothing, parcelOf("한진택배", "")), 400, "SHIPMENT_FIELDS_REQUIRED"},
		{"number blank", "UNKNOWN", body(nothing, parcelOf("한진택배", " \u3164\u200b")), 400, "SHIPMENT_FIELDS_REQUIRED"},
		{"number of hyphens", "UNKNOWN", body(nothing, parcelOf("한진택배", "- -")), 400, "SHIPMENT_FIELDS_REQUIRED"},
		{"order", "UNKNOWN", body(nothing, parcelOf("한진택배", "1")), 404, "ORDER_NOT_FOUND"},
		{"items", "G-1", body(`"item_ids":["`+item(1).String()+`","not an item"]`, parcelOf("한진택배", "1")), 404, "ORDER_ITEM_NOT_FOUND"},
		{"item", "G-1", body(itemIDs(1), parcelOf("한진택배", "1")), 409, "ORDER_ITEM_NOT_SHIPPABLE"},
	} {
		a := s.post("/open/v1/orders/"+c.no+"/shipment", c.body)
		require.Equal(t, c.status, a.status, "%s: %s", c.name, a.body)
		require.Equal(t, c.code, a.code(), c.name)
	}
	s.post("/open/v1/orders/G-1/shipment", body(itemIDs(1), parcelOf("DHL", "1"))).requireGolden(t, "refusal_carrier")
	s.post("/open/v1/orders/G-1/shipment", body(itemIDs(1), parcelOf("한진택배", "\u3164"))).requireGolden(t, "refusal_tracking_no")
	s.post("/open/v1/orders/G-1/shipment", body(itemIDs(1),
		`"carrier_name":"x","tracking_no":"\u0007"`)).requireGolden(t, "refusal_control")
}

// The longest texts that the contract allows are taken, in characters after NFC; one more is refused, see
// TestShipment_orderOfChecks.
func TestShipment_longestTexts(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", nil)
	number, company := strings.Repeat("7", 60), strings.Repeat("가", 100)
	sent := body(itemIDs(1), parcelOf("한진택배", number), `"logistics_company":"`+norm.NFD.String(company)+`"`)
	shown := s.post("/open/v1/orders/G-1/shipment", sent).processed(t).Items[0]
	require.Equal(t, number, *shown.TrackingNo)
	require.Equal(t, "한진택배", *shown.CarrierName)
}

// A shipment is the same in whatever form it is typed.
func TestShipment_sameInOtherWords(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", nil)
	company := `"logistics_company":" a\u200b"`
	first := s.post("/open/v1/orders/G-1/shipment", body(itemIDs(1),
		parcelOf(norm.NFD.String(" 한진택배 "), " ４１２３-4567.8901"), company))
	shown := first.processed(t).Items[0]
	require.Equal(t, "412345678901", *shown.TrackingNo)
	require.Equal(t, "한진택배", *shown.CarrierName)
	for _, number := range []string{"412345678901", "4123 4567 8901", "\u200b412345678901"} {
		again := s.post("/open/v1/orders/G-1/shipment", body(itemIDs(1), parcelOf("한진택배", number), company))
		require.Equal(t, []string{"shipping already"}, again.processed(t).states())
	}
	for name, other := range map[string]string{
		"no company":              parcelOf("한진택배", "412345678901"),
		"null company":            parcelOf("한진택배", "412345678901") + `,"logistics_company":null`,
		"empty company":           parcelOf("한진택배", "412345678901") + `,"logistics_company":""`,
		"company with a space":    parcelOf("한진택배", "412345678901") + `,"logistics_company":" a"`,
		"another tracking number": parcelOf("한진택배", "412345678902") + "," + company,
		"another carrier":         parcelOf("로젠택배", "412345678901") + "," + company,
	} {
		a := s.post("/open/v1/orders/G-1/shipment", body(itemIDs(1), other))
		require.Equal(t, http.StatusConflict, a.status, name)
		require.Equal(t, "SHIPMENT_STATE_CONFLICT", a.code(), name)
	}
}

// An absent logistics company and one that is null are the same.
func TestShipment_absentOrNullLogisticsCompany(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", nil)
	s.post("/open/v1/orders/G-1/shipment", body(itemIDs(1), parcelOf("한진택배", "1"))).processed(t)
	again := s.post("/open/v1/orders/G-1/shipment", body(itemIDs(1), parcelOf("한진택배", "1"), `"logistics_company":null`))
	require.Equal(t, []string{"shipping already"}, again.processed(t).states())
}

// A suspicious tracking number is accepted, with a warning that says what is suspicious.
func TestShipment_suspiciousNumberWarns(t *testing.T) {
	t.Parallel()
	s := counted(t, "G-1", nil, nil, nil, nil)
	for n, c := range map[int]struct{ number, reason string }{
		1: {"690000000012", "check_digit"}, 2: {"1", "length"}, 3: {"AB", "not_digits"}, 4: {"690000000011", ""},
	} {
		done := s.post("/open/v1/orders/G-1/shipment", body(itemIDs(n), parcelOf("CJ대한통운", c.number))).processed(t)
		require.Equal(t, []string{"shipping"}, done.states())
		if c.reason == "" {
			require.Nil(t, done.Warnings)
			continue
		}
		require.Len(t, done.Warnings, 1)
		require.NotEmpty(t, done.Warnings[0]["message"])
		delete(done.Warnings[0], "message")
		require.Equal(t, map[string]string{
			"field": "tracking_no", "code": "TRACKING_NO_SUSPICIOUS",
			"reason": c.reason,
		}, done.Warnings[0])
	}
}
