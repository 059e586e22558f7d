package cli

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	sellerapi "sellerapi.dev/proto/clients/go"
)

// A sheet may name a carrier by every name that the server knows, with variations in spelling. An unknown name is left to the
// server.
func TestCarrierOf_everyName(t *testing.T) {
	t.Parallel()
	all := []sellerapi.Carrier{
		sellerapi.CarrierCJ, sellerapi.CarrierPost, sellerapi.CarrierHanjin, sellerapi.CarrierLotte, sellerapi.CarrierLogen,
	}
	for name, carrier := range carrierNames {
		require.Contains(t, all, carrier)
		for _, written := range []string{name, strings.ToUpper(name), " " + name + "\n", strings.Join(strings.Split(name, ""), "-"), "(" + name + ")"} {
			require.Equal(t, carrier, carrierOf(written), written)
		}
		if code, zero := strings.CutPrefix(name, "0"); zero {
			require.Equal(t, carrier, carrierOf(code))
		}
	}
	for written, carrier := range map[string]sellerapi.Carrier{
		"씨제이 대한통운": sellerapi.CarrierCJ, "04": sellerapi.CarrierCJ, "우편": sellerapi.CarrierPost, "현대택배": sellerapi.CarrierLotte, "kgb": sellerapi.CarrierLogen,
		"CJ대한통운": sellerapi.CarrierCJ, " 당근택배 ": "당근택배", "": "",
	} {
		require.Equal(t, carrier, carrierOf(written), written)
	}
}
