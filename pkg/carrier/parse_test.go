package carrier_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
)

func text(s string) *string { return &s }

func TestParseName_acceptedForms(t *testing.T) {
	t.Parallel()
	require.Equal(t, []string{"CJ대한통운", "우체국택배", "한진택배", "롯데택배", "로젠택배"}, carrier.Names())
	for _, name := range carrier.Names() {
		for _, sent := range []string{
			name, " " + name + "  ", "\u3000" + name + "\u00a0", norm.NFD.String(name), norm.NFKD.String(" " + name),
		} {
			parsed, err := carrier.ParseName(sent)
			require.NoError(t, err, "%q", sent)
			require.Equal(t, carrier.Name(name), parsed)
		}
	}
}

func TestParseName_unknownListsAllowed(t *testing.T) {
	t.Parallel()
	for _, sent := range []string{
		"", " ", "\u3000", "\u200b", "\u3164", "CJ", "cj대한통운", "ＣＪ대한통운", "CJ 대한통운", "CJ대한통운.", "DHL", "한진",
		"\u200b한진택배", "한진택배\u202e", "롯데택배,로젠택배",
	} {
		_, err := carrier.ParseName(sent)
		require.ErrorIs(t, err, apierr.ShipmentCarrierNotAllowed, "%q", sent)
		require.Equal(t, carrier.Names(), apierr.From(err).Data["allowed"])
	}
}

// A tracking number has one canonical form, whatever blanks, separators or wide characters it was
// typed with.
func TestParseTrackingNo_oneForm(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]carrier.TrackingNo{
		"612345678901":                         "612345678901",
		" 6123-4567-8901 ":                     "612345678901",
		"6123.4567.8901":                       "612345678901",
		"6123 4567\u00a08901":                  "612345678901",
		"６１２３４５６７８９０１":                         "612345678901",
		"６１２３－４５６７－８９０１":                       "612345678901",
		"6123\u20104567\u20138901":             "612345678901",
		"6123\u22124567\u00b78901":             "612345678901",
		"6123\u200b4567\ufeff8901":             "612345678901",
		"\u202e612345678901\u202c":             "612345678901",
		"6123\u31644567\uffa08901\u115f":       "612345678901",
		"6123\u2028456\u00ad7\u28008901\ufe0f": "612345678901",
		"eb123456789kr":                        "EB123456789KR",
		"①②③":                                  "123",
		"송장-가1":                                "송장가1",
		norm.NFD.String("송장1"):                 "송장1",
		"A\u200c\u0301":                        "Á",
		"ﬀ":                                    "FF",
		strings.Repeat("1-", 30):               carrier.TrackingNo(strings.Repeat("1", 30)),
	} {
		parsed, err := carrier.ParseTrackingNo(sent)
		require.NoError(t, err, "%q", sent)
		require.Equal(t, want, parsed, "%q", sent)
		again, err := carrier.ParseTrackingNo(string(parsed))
		require.NoError(t, err)
		require.Equal(t, parsed, again)
	}
}

// A field that looks empty to the seller must not become an untraceable shipment.
func TestParseTrackingNo_invisibleIsEmpty(t *testing.T) {
	t.Parallel()
	for _, sent := range []string{
		"", " ", "\u3000", "\u00a0", "\u200b", "\ufeff", "\u202e", "\u3164", "\uffa0", "\u115f\u1160", "\u2800", " \u200d ",
		"---", ". .", "\u2029",
	} {
		_, err := carrier.ParseTrackingNo(sent)
		require.ErrorIs(t, err, apierr.ShipmentFieldsRequired, "%q", sent)
	}
}

// The first problem in the order of the package comment decides, whichever field it is in.
func TestParseShipment_order(t *testing.T) {
	t.Parallel()
	const name, number = "한진택배", "412345678901"
	for _, c := range []struct {
		what         string
		name, number string
		logistics    *string
		code         apierr.Code
	}{
		{"broken UTF-8, control", "\x07", "\xff", nil, apierr.ValidationError},
		{"broken UTF-8 in last field", "\x07", "\x07", text("\xff"), apierr.ValidationError},
		{"control, name not allowed", "DHL\n", "", nil, apierr.ShipmentInputInvalid},
		{"control, empty name", "", "1\t2", nil, apierr.ShipmentInputInvalid},
		{"control around name", name + "\n", number, nil, apierr.ShipmentInputInvalid},
		{"control alone", name, "\x00", nil, apierr.ShipmentInputInvalid},
		{"C1 control", name, "1\u0085", nil, apierr.ShipmentInputInvalid},
		{"delete", name, "1\x7f", nil, apierr.ShipmentInputInvalid},
		{"control in company", "", "", text("a\r"), apierr.ShipmentInputInvalid},
		{"empty name, number", "", "", nil, apierr.ShipmentCarrierNotAllowed},
		{"blank name, number", "\u3164", " ", nil, apierr.ShipmentCarrierNotAllowed},
		{"blank number", name, "\u200b", nil, apierr.ShipmentFieldsRequired},
		// Longer than may be sent once it is spelt out.
		{"number too long", name, strings.Repeat("\ufdfa", 5), nil, apierr.ValidationError},
	} {
		t.Run(c.what, func(t *testing.T) {
			t.Parallel()
			_, err := carrier.ParseShipment(c.name, c.number, c.logistics)
			require.ErrorIs(t, err, c.code)
		})
	}
}

// The error names the field whose text is invalid.
func TestCheckText_namesField(t *testing.T) {
	t.Parallel()
	for field, err := range map[string]error{
		"carrier_name":      carrier.CheckText("\n", "\n", text("\n")),
		"tracking_no":       carrier.CheckText("", "\n", text("\n")),
		"logistics_company": carrier.CheckText("", "", text("\n")),
	} {
		require.Equal(t, field, apierr.From(err).Data["field"])
	}
	fields, ok := apierr.From(carrier.CheckText("", "\xff", nil)).Data["errors"].([]apierr.FieldError)
	require.True(t, ok)
	require.Equal(t, "tracking_no", fields[0].Field)
}

// Carrier and tracking number are normalised, and the forwarding agent is kept as sent.
func TestParseShipment_wholeShipment(t *testing.T) {
	t.Parallel()
	shipment, err := carrier.ParseShipment(" 로젠택배", "9123-456-7890", text(" a\u200b "))
	require.NoError(t, err)
	require.Equal(t, carrier.Shipment{Carrier: carrier.Logen, TrackingNo: "91234567890", Logistics: text(" a\u200b ")}, shipment)
}

// Two shipments are the same only if carrier, tracking number and forwarding agent agree.
func TestSame_agreesInAllThreeFields(t *testing.T) {
	t.Parallel()
	base := carrier.Shipment{Carrier: carrier.Lotte, TrackingNo: "1", Logistics: text("a")}
	require.True(t, base.Same(carrier.Shipment{Carrier: carrier.Lotte, TrackingNo: "1", Logistics: text("a")}))
	require.True(t, carrier.Shipment{}.Same(carrier.Shipment{}))
	require.False(t, carrier.Shipment{}.Same(carrier.Shipment{Logistics: text("")}), "an empty name is a value")
	require.False(t, carrier.Shipment{Logistics: text("")}.Same(carrier.Shipment{}))
	for _, other := range []carrier.Shipment{
		{Carrier: carrier.Logen, TrackingNo: "1", Logistics: text("a")},
		{Carrier: carrier.Lotte, TrackingNo: "2", Logistics: text("a")},
		{Carrier: carrier.Lotte, TrackingNo: "1", Logistics: text("A")},
		{Carrier: carrier.Lotte, TrackingNo: "1", Logistics: text("")},
		{Carrier: carrier.Lotte, TrackingNo: "1"},
	} {
		require.False(t, base.Same(other))
		require.False(t, other.Same(base))
	}
}

func TestDoubts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   carrier.Name
		number carrier.TrackingNo
		doubt  carrier.Doubt
	}{
		{carrier.CJLogistics, "690000000011", ""},
		{carrier.CJLogistics, "6912345678", carrier.CheckDigit},
		{carrier.CJLogistics, "69000000001", carrier.Length},
		{carrier.CJLogistics, "6900000000A1", carrier.NotDigits},
		{carrier.Lotte, "200000000001", ""},
		{carrier.Lotte, "200000000003", carrier.CheckDigit},
		{carrier.KoreaPost, "6123456789012", ""},
		{carrier.KoreaPost, "612345678901", carrier.Length},
		{carrier.Hanjin, "41234567890123", ""},
		{carrier.Logen, "91234567890", ""},
		{"DHL", "1", ""},
	} {
		got := carrier.Suspicious(c.name, c.number)
		require.Equal(t, c.doubt, got, "%s %s", c.name, c.number)
	}
}

// A carrier that resembles none is refused with the names of all; for one that does, its name is enough.
func TestParseName_refusalNamesCarriers(t *testing.T) {
	t.Parallel()
	for sent, want := range map[string]string{
		"경동택배":  "허용되지 않은 택배사입니다. 허용된 택배사: CJ대한통운, 우체국택배, 한진택배, 롯데택배, 로젠택배.",
		"CJGLS": "허용되지 않은 택배사입니다. 올바른 이름: CJ대한통운.",
		// As people and companies write them.
		"한진택배(주)": "허용되지 않은 택배사입니다. 올바른 이름: 한진택배.", "(주)한진": "허용되지 않은 택배사입니다. 올바른 이름: 한진택배.",
		"㈜ 로젠택배": "허용되지 않은 택배사입니다. 올바른 이름: 로젠택배.", "ＣＪ대한통운": "허용되지 않은 택배사입니다. 올바른 이름: CJ대한통운.",
		"대한통운(구)": "허용되지 않은 택배사입니다. 올바른 이름: CJ대한통운.", "현대택배 [구]": "허용되지 않은 택배사입니다. 올바른 이름: 롯데택배.",
		"등기우편": "허용되지 않은 택배사입니다. 올바른 이름: 우체국택배.", "우체국/등기": "허용되지 않은 택배사입니다. 올바른 이름: 우체국택배.",
	} {
		_, err := carrier.ParseName(sent)
		require.Equal(t, want, apierr.From(err).Message(apierr.Korean))
	}
}

// A caller that changes the returned lists does not change the known carriers.
func TestCarriers_immutableFromOutside(t *testing.T) {
	t.Parallel()
	carrier.Names()[0] = "DHL"
	carrier.All()[0].Name = "DHL"
	require.Equal(t, "CJ대한통운", carrier.Names()[0])
	require.Equal(t, carrier.CJLogistics, carrier.All()[0].Name)
	require.Len(t, carrier.All(), 5)
}
