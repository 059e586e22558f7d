package carrier_test

import (
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/apierr"
	"sellerapi.dev/pkg/carrier"
)

// Every accepted number is in its canonical form: parsing it again changes nothing, so that the same shipment registered twice is
// equal.
func FuzzTrackingNo(f *testing.F) {
	for _, seed := range []string{
		"612345678901", "６１-２３.", "\u3164", "A\u200c\u0301", "\u01f0", "\u0149", "\u1e9e", "\u0345\u03b1", "ﬃ", "\u0131",
		strings.Repeat("\u0301", 40) + "a", "\uff9e\uff76", "\u1100\u200b\u1161", "\ufdfa", "\u0dd9\u200b\u0dcf", "ᾳ", "\u212b",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, sent string) {
		number, err := carrier.ParseTrackingNo(sent)
		if err != nil {
			require.Contains(t, []apierr.Code{
				apierr.ValidationError, apierr.ShipmentInputInvalid, apierr.ShipmentFieldsRequired,
			}, apierr.From(err).Code)
			require.Empty(t, number)
			return
		}
		again, err := carrier.ParseTrackingNo(string(number))
		require.NoError(t, err)
		require.Equal(t, number, again)
		require.NotEmpty(t, number)
		require.True(t, utf8.ValidString(string(number)))
		require.False(t, strings.ContainsFunc(string(number), unicode.IsSpace))
		spaced, err := carrier.ParseTrackingNo("\u200b " + string(number) + "-")
		require.NoError(t, err)
		require.Equal(t, number, spaced)
	})
}

// An accepted shipment is equal to the one parsed from the values of the response.
func FuzzShipment(f *testing.F) {
	f.Add("한진택배", "4123", "agent", true)
	f.Add(" CJ대한통운 ", "\u3164", "", false)
	f.Add("\xff", "\x00", "\n", true)
	f.Fuzz(func(t *testing.T, name, number, agent string, given bool) {
		var logistics *string
		if given {
			logistics = &agent
		}
		shipment, err := carrier.ParseShipment(name, number, logistics)
		if err != nil {
			require.Less(t, apierr.From(err).Code.Status(), 500)
			return
		}
		again, err := carrier.ParseShipment(string(shipment.Carrier), string(shipment.TrackingNo), shipment.Logistics)
		require.NoError(t, err)
		require.True(t, shipment.Same(again))
		require.Contains(t, carrier.Names(), string(shipment.Carrier))
		carrier.Suspicious(shipment.Carrier, shipment.TrackingNo)
	})
}

// Upper-casing and composition interact in unexpected ways for single letters of rare scripts; all of them are tried.
func TestParseTrackingNo_everyLetterHasFinalForm(t *testing.T) {
	t.Parallel()
	for r := rune(' '); r < 0x20000; r++ {
		if !utf8.ValidRune(r) || unicode.IsControl(r) {
			continue
		}
		number, err := carrier.ParseTrackingNo("a" + string(r) + "\u200c\u0301")
		require.NoError(t, err, "%U", r)
		again, err := carrier.ParseTrackingNo(string(number))
		require.NoError(t, err, "%U", r)
		if number != again {
			require.Equal(t, number, again, "%U", r)
		}
	}
}
