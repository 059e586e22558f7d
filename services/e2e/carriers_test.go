package e2e_test

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"sellerapi.dev/pkg/carrier"
	sellerapi "sellerapi.dev/proto/clients/go"
)

// Whatever number the client accepts, the service stores in the same form: a client that normalises in another way reports a
// parcel that it has sent as another one. No character is left out.
func TestCarriers_clientNormalisesAlike(t *testing.T) {
	t.Parallel()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		for _, number := range []string{string(r), "6a" + string(r) + "1", string(r) + "２3\u0301"} {
			normal, certain := sellerapi.NormalTrackingNo(number)
			if !certain {
				continue
			}
			stored, err := carrier.ParseTrackingNo(number)
			require.NoError(t, err, "%q", number)
			require.Equal(t, string(stored), normal, "%q", number)
		}
	}
	normal, certain := sellerapi.NormalTrackingNo("\u200b ６１２３－4567.8901 ")
	require.True(t, certain)
	require.Equal(t, "612345678901", normal)
}

// The client foresees the warning of the service, for numbers of every carrier and length.
func TestCarriers_clientDoubtsAlike(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	reasons := map[carrier.Doubt]int{}
	for _, name := range carrier.Names() {
		for range 2000 {
			number := fmt.Sprintf("%0*d", 1+random.IntN(15), random.Int64N(100_000_000_000_000))
			if random.IntN(10) == 0 {
				number += "A"
			}
			doubt := carrier.Suspicious(carrier.Name(name), carrier.TrackingNo(number))
			require.Equal(t, string(doubt), sellerapi.Carrier(name).Doubt(number), "%s %s", name, number)
			reasons[doubt]++
		}
	}
	require.Len(t, reasons, 4, "every reason, and none")
}

// The client reads every name that the service has a hint for, as the carrier of the hint.
func TestCarriers_clientNamesAlike(t *testing.T) {
	t.Parallel()
	for other, name := range carrier.OtherNames() {
		parsed, known := sellerapi.ParseCarrier(other)
		require.True(t, known, other)
		require.Equal(t, string(name), string(parsed), other)
	}
}
