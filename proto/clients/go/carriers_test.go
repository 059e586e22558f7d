package sellerapi

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A sheet may name a carrier by every name that the interface description lists, with variations in spelling. An unknown name is
// no carrier, and neither is a code that is not written as one.
func TestParseCarrier_everyName(t *testing.T) {
	t.Parallel()
	for name, carrier := range carrierNames {
		require.Contains(t, trackingNumbers, carrier)
		written := []string{name, " " + name + "\n"}
		if !isDigits(name) {
			written = append(written, strings.ToUpper(name), strings.Join(strings.Split(name, ""), "-"), "("+name+")", "["+name+"/"+"]")
		}
		if code, zero := strings.CutPrefix(name, "0"); zero {
			written = append(written, code)
		}
		for _, text := range written {
			parsed, known := ParseCarrier(text)
			require.True(t, known, text)
			require.Equal(t, carrier, parsed, text)
		}
	}
	for written, carrier := range map[string]Carrier{
		"씨제이 대한통운": CarrierCJ, "04": CarrierCJ, "4": CarrierCJ, "우편": CarrierPost, "현대택배": CarrierLotte, "CJ대한통운": CarrierCJ,
		"한진택배(주)": CarrierHanjin, "(주)한진": CarrierHanjin, "㈜한진": CarrierHanjin, "주식회사 한진": CarrierHanjin, "ＣＪ대한통운": CarrierCJ,
		"등기우편": CarrierPost, "우체국 등기": CarrierPost, "우체국/등기": CarrierPost, "대한통운(구)": CarrierCJ, "로젠택배 ㈜": CarrierLogen,
		"４": "", "4.0": "", "0.4": "", "(04)": "", "004": "", "FEDEX": "", " 당근택배 ": "", "롯데택배,로젠택배": "", "": "",
	} {
		parsed, known := ParseCarrier(written)
		require.Equal(t, carrier != "", known, written)
		require.Equal(t, carrier, parsed, written)
	}
}
